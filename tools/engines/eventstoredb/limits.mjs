const MIB = 1024 * 1024;

/** The defaults of servers, by the first version that has them. Sizes are those of data, metadata and type. */
export const LIMITS = {
  '22.10': { maxAppendBytes: MIB },
  26: { maxEventBytes: 16 * MIB, maxAppendBytes: 256 * MIB },
};
