import { open } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { devNull } from 'node:os';

const OF_THIS_MACHINE = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN', 'EAI_MEMORY']);
const NO_LOCAL_ADDRESS = 'EADDRNOTAVAIL';

/** The error code if this machine lacked descriptors, buffers, memory or ports to reach the receiver; else null. */
export function localTroubleIn(error: unknown): string | null {
  if (error instanceof AggregateError) {
    const codes = error.errors.map(localTroubleIn);
    const lacking = codes.find((code) => code !== null && code !== NO_LOCAL_ADDRESS);
    return lacking ?? (codes.every((code) => code !== null) ? (codes[0] ?? null) : null);
  }
  const { code, address } = error as { code?: unknown; address?: unknown };
  if (typeof code !== 'string') return null;
  // Without IPv6 every connection to such an address fails like this: that is no shortage of ports.
  if (code === NO_LOCAL_ADDRESS) return typeof address === 'string' && isIPv4(address) ? code : null;
  return OF_THIS_MACHINE.has(code) ? code : null;
}

/** As `localTroubleIn`, for name lookups. A resolver without a descriptor blames the name servers, so this tries to open one. */
export async function localTroubleBehind(error: unknown): Promise<string | null> {
  const { cause } = error as { cause?: unknown };
  const told = localTroubleIn(error) ?? (cause instanceof Error ? localTroubleIn(cause) : null);
  if (told !== null) return told;
  try {
    await (await open(devNull)).close();
    return null;
  } catch (failure) {
    return localTroubleIn(failure);
  }
}
