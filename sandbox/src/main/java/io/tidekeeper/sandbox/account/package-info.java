/** The independent account of what a job did with the traffic it was given. */
@NullMarked
package io.tidekeeper.sandbox.account;

import org.jspecify.annotations.NullMarked;
