import type { ToolCall } from './tool-call.js';

/** Unique ids, as servers require. Generated ones have nine letters and digits, the only form that Mistral's models accept. */
export class CallIds {
  private readonly taken = new Set<string>();

  withUniqueIds(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => ({ ...call, id: this.free(call.id) }));
  }

  private free(id: string): string {
    let free = id;
    for (let number = 0; free === '' || this.taken.has(free); number += 1) free = `call${String(number).padStart(5, '0')}`;
    this.taken.add(free);
    return free;
  }
}
