/** What the schema says, what it lets pass, and what a spec means. */
@NullMarked
package io.tidekeeper.crds;

import org.jspecify.annotations.NullMarked;
