import type { ToolCall } from './model-answer.js';

/**
 * Names the calls of one turn: two of the same id make servers refuse all that follows. Ids of our own have nine letters and
 * digits, since Mistral's models take no others.
 */
export class CallIds {
  private readonly taken = new Set<string>();

  /** The calls, each under its own id, or under one of ours where it has none or another has it. */
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
