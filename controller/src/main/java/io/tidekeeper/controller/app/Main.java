package io.tidekeeper.controller.app;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.tidekeeper.controller.app.ControllerSettings.Lease;
import io.tidekeeper.controller.job.RestAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The program. It runs in a cluster as its service account, else on the current kubeconfig. */
@Command(
    name = "tidekeeper-controller",
    mixinStandardHelpOptions = true,
    version = "Tidekeeper 0.1.0",
    sortOptions = false,
    showDefaultValues = true,
    usageHelpWidth = 100,
    description = {
      "Rolls WatermarkPolicies into running FlinkDeployments, and back when they do no good.",
      "",
      "In a cluster it acts as its service account, elsewhere on the current kubeconfig."
    })
public final class Main implements Callable<Integer> {

  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";
  private static final Duration LEASE = Duration.ofSeconds(15);

  @Option(
      names = "--namespaces",
      split = ",",
      paramLabel = "<namespace>",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "Watch these namespaces only. Default: all.")
  private Set<String> namespaces = new LinkedHashSet<>();

  @Option(
      names = "--rest-address",
      paramLabel = "<template>",
      converter = AddressConverter.class,
      defaultValue = RestAddress.DEFAULT_TEMPLATE,
      description =
          "Where the REST API of a job is; {name}, {namespace} and {rest.port} are those of its"
              + " FlinkDeployment.")
  private RestAddress restAddress = new RestAddress(RestAddress.DEFAULT_TEMPLATE);

  @Option(
      names = "--paused",
      description = "The brake: watch and report, write nothing to any FlinkDeployment.")
  private boolean paused;

  @Option(
      names = "--bind-address",
      paramLabel = "<address>",
      description = "The address that serves health and metrics.")
  private String bindAddress = "0.0.0.0";

  @Option(
      names = "--port",
      paramLabel = "<port>",
      description = "The port of /healthz/live, /healthz/ready and /metrics.")
  private int port = 8080;

  @Option(
      names = "--leader-election",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Compete with other replicas for a lease; only one acts. Default: on.")
  private boolean leaderElection;

  @Option(
      names = "--lease-name",
      paramLabel = "<name>",
      description = "The lease that replicas compete for.")
  private String leaseName = "tidekeeper-controller";

  @Option(
      names = "--lease-namespace",
      paramLabel = "<namespace>",
      description = "Its namespace. Default: the controller's own.")
  private @Nullable String leaseNamespace;

  private Main() {}

  /** Runs until it is told to end. */
  public static void main(String[] args) {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      // Before the first logger is made; a program that embeds the controller has its own.
      System.setProperty(LOG_CONFIGURATION, "tidekeeper-log4j2.xml");
    }
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public Integer call() throws InterruptedException {
    KubernetesClient client = new KubernetesClientBuilder().build();
    TidekeeperController controller =
        TidekeeperController.start(
            new ControllerSettings(
                namespaces,
                restAddress,
                paused,
                new InetSocketAddress(bindAddress, port),
                leaderElection ? lease(client.getNamespace()) : null),
            client,
            Clock.systemUTC(),
            () -> Runtime.getRuntime().halt(1));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  controller.close();
                  client.close();
                },
                "stop"));
    // Until a signal ends the program.
    new CountDownLatch(1).await();
    return 0;
  }

  private Lease lease(@Nullable String ownNamespace) {
    String namespace =
        firstOf(leaseNamespace, System.getenv("POD_NAMESPACE"), ownNamespace, "default");
    String identity =
        firstOf(
            System.getenv("POD_NAME"),
            System.getenv("HOSTNAME"),
            "process-" + ProcessHandle.current().pid());
    return new Lease(leaseName, namespace, identity, LEASE);
  }

  private static String firstOf(@Nullable String... candidates) {
    for (String candidate : candidates) {
      if (candidate != null && !candidate.isBlank()) {
        return candidate;
      }
    }
    throw new IllegalArgumentException("all are blank");
  }

  private static final class AddressConverter implements ITypeConverter<RestAddress> {
    @Override
    public RestAddress convert(String template) {
      try {
        return new RestAddress(template);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
