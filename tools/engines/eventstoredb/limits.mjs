const MIB = 1024 * 1024;

/** By the first version with these defaults. Sizes include data, metadata and type. */
export const LIMITS = {
  '22.10': { maxAppendBytes: MIB },
  26: { maxEventBytes: 16 * MIB, maxAppendBytes: 256 * MIB },
};
