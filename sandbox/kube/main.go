// One program for the three parts of the sandbox's Kubernetes control plane: the name it is called
// by (argv[0], a symbolic link beside the file) decides which part runs. One file instead of three
// saves most of the linking time and two thirds of the disk space.
//
// With EXIT_WITH_STDIN set, the part stops when its standard input ends. The starter keeps the
// other end of that pipe, so nothing is left running even when the starter itself is killed.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// How long a part may take to stop by itself after its standard input has ended.
const stopLimit = 5 * time.Second

func main() {
	if os.Getenv("EXIT_WITH_STDIN") != "" {
		go exitWithStdin()
	}
	switch name := filepath.Base(os.Args[0]); name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	default:
		fmt.Fprintf(os.Stderr,
			"%s: call this program as etcd, kube-apiserver or kube-controller-manager\n", name)
		os.Exit(2)
	}
}

func exitWithStdin() {
	// An error ends the input as well as its end does.
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err == nil {
		time.Sleep(stopLimit)
	}
	os.Exit(1)
}
