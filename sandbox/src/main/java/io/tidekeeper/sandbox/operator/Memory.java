package io.tidekeeper.sandbox.operator;

/**
 * What an operator knows besides the status. It loses this when it is killed, and then at most says
 * or tries something once more.
 *
 * @param announced the generation whose change was told by an event last
 * @param attempted the generation for which a savepoint failed last
 */
record Memory(long announced, long attempted) {
  static final Memory NONE = new Memory(-1, -1);

  Memory withAnnounced(long generation) {
    return new Memory(generation, attempted);
  }

  Memory withAttempted(long generation) {
    return new Memory(announced, generation);
  }
}
