import type { ToolCall } from './tool-call.js';

/**
 * Unique ids for the tool calls of one turn: servers refuse a dialogue in which two calls share an id. Generated ids have nine
 * letters and digits, the only form that Mistral's models accept.
 */
export class CallIds {
  private readonly taken = new Set<string>();

  /** The calls with unique ids: their own, or a generated one where it is missing or taken. */
  told(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => ({ ...call, id: this.free(call.id) }));
  }

  private free(id: string): string {
    let free = id;
    for (let number = 0; free === '' || this.taken.has(free); number += 1) free = `call${String(number).padStart(5, '0')}`;
    this.taken.add(free);
    return free;
  }
}
