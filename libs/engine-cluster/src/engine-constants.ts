/** The constants of this engine. Times are in milliseconds. */
export const ENGINE_CONSTANTS = {
  eventStoreDb: {
    deadlineMs: 2_000,
    openWithinMs: 30_000,
    /** The largest append that every server accepts. */
    mostAppendBytes: 1_048_576,
    pageEvents: 512,
    /** How often the log is polled when the subscription is silent. */
    lookAgainMs: 250,
    keptCheckpoints: 16,
  },
  mongoDb: {
    serverSelectionTimeoutMs: 2_000,
    waitQueueTimeoutMs: 1_000,
    socketTimeoutMs: 10_000,
    queryTimeoutMs: 3_000,
    /** Including its retry. */
    callWithinMs: 10_000,
    writeTimeoutMs: 3_000,
    /** A server silent for this long after a heartbeat, or during a connect, is down. */
    connectTimeoutMs: 1_500,
    heartbeatMs: 1_000,
    /** After so many intervals without a heartbeat the server is pinged, which may take two more. */
    silentHeartbeats: 2,
    poolSize: 50,
    bootPatienceMs: 30_000,
    bootRetryMs: 500,
  },
  kafka: {
    sessionTimeoutMs: 10_000,
    /** Also how late a member learns that another joined or left. */
    heartbeatIntervalMs: 1_000,
    rebalanceTimeoutMs: 20_000,
    /** The longest wait of a fetch, so a paused partition resumes no sooner. */
    fetchWaitMs: 250,
    connectWithinMs: 3_000,
    answerWithinMs: 5_000,
    metadataMaxAgeMs: 5_000,
    commitEveryMs: 500,
    lookEveryMs: 5_000,
    /** A consumer that does nothing for this long, while brokers answer, is stalled. */
    stalledAfterMs: 60_000,
    leavesWithinMs: 2_000,
    /** The first and the longest pause before a consumer is replaced. */
    restartAfterMs: 500,
    restartAtMostAfterMs: 5_000,
    sendWithinMs: 5_000,
    partitions: 24,
    retentionBeyondWaitMs: 7 * 86_400_000,
  },
} as const;
