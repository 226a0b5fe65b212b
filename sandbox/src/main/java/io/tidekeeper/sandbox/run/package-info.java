/** What every run of the sandbox needs: its folder, its voice, its verdict. */
@NullMarked
package io.tidekeeper.sandbox.run;

import org.jspecify.annotations.NullMarked;
