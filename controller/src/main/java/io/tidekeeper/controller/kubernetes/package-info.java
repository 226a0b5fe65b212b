/** Reading and writing Kubernetes objects: what is owned, what is refused, and who is told. */
@NullMarked
package io.tidekeeper.controller.kubernetes;

import org.jspecify.annotations.NullMarked;
