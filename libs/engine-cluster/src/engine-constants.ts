/** Every constant of this engine that is no setting. Times are in milliseconds. */
export const ENGINE_CONSTANTS = {
  eventStoreDb: {
    /** The driver's deadline of one call. */
    deadlineMs: 2_000,
    /** How long a start waits for a server that does not answer yet. */
    openWithinMs: 30_000,
    /** The most bytes of one append that every server takes. */
    mostAppendBytes: 1_048_576,
    /** The events of one page of the log. */
    pageEvents: 512,
    /** How late a subscriber looks at the log by itself, where nothing rings. */
    lookAgainMs: 250,
    /** The events that the stream of a reactor's checkpoints keeps. */
    keptCheckpoints: 16,
  },
  mongoDb: {
    serverSelectionTimeoutMs: 2_000,
    waitQueueTimeoutMs: 1_000,
    socketTimeoutMs: 10_000,
    queryTimeoutMs: 3_000,
    /** The time within which a call settles, its retry included. */
    callWithinMs: 10_000,
    /** How long a write waits for the members of the replica set that acknowledge it. */
    writeTimeoutMs: 3_000,
    /** A server that is silent for this long after a heartbeat, or while a connection is made, counts as gone. */
    connectTimeoutMs: 1_500,
    heartbeatMs: 1_000,
    /** Heartbeats without a word of the driver after which its server is asked something, whose answer may take two more. */
    silentHeartbeats: 2,
    poolSize: 50,
    /** How long a start waits for a server that is absent or not yet primary, and how often it looks. */
    bootPatienceMs: 30_000,
    bootRetryMs: 500,
  },
  kafka: {
    sessionTimeoutMs: 10_000,
    /** Also how late a member learns that another one has joined or left. */
    heartbeatIntervalMs: 1_000,
    rebalanceTimeoutMs: 20_000,
    /** The longest wait of one fetch: the floor of how soon a paused partition goes on. */
    fetchWaitMs: 250,
    connectWithinMs: 3_000,
    /** The driver's timeout of one request. */
    answerWithinMs: 5_000,
    /** How late a client notices partitions that were added. */
    metadataMaxAgeMs: 5_000,
    /** How often offsets are stored. */
    commitEveryMs: 500,
    /** How often the brokers are asked for the offsets of consumers. */
    lookEveryMs: 5_000,
    /** A consumer that does nothing for this long, while the brokers answer, is stalled. */
    stalledAfterMs: 60_000,
    /** The time within which a closing consumer leaves its group. */
    leavesWithinMs: 2_000,
    /** When another consumer takes the place of one that ended, at first and at most. */
    restartAfterMs: 500,
    restartAtMostAfterMs: 5_000,
    /** The time within which a publish settles. */
    sendWithinMs: 5_000,
    /** The partitions of every topic of webhook deliveries. */
    partitions: 24,
    /** How long a topic keeps a message beyond the wait of its tier. */
    retentionBeyondWaitMs: 7 * 86_400_000,
  },
} as const;
