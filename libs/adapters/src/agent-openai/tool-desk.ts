import type { StatusAction } from '@domain/conversation/reply-action';
import type { Toolbox, ToolDescription } from '@ports/agent.port';
import type { ToolCall } from './tool-call.js';
import { CONVERSATION_TOOLS, statusActionOf } from './status-actions.js';

const MAX_RESULT_LENGTH = 16_000;
const MORE = 'Only the soonest of them are shown: there are more, later or past ones.';

function refusal(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/** The result as JSON, of a list as many appointments as fit. */
function shown(result: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(result);
  if (whole.length <= MAX_RESULT_LENGTH) return whole;
  const { appointments } = result;
  const all: readonly unknown[] = Array.isArray(appointments) ? appointments : [];
  let left = MAX_RESULT_LENGTH - JSON.stringify({ appointments: [], note: MORE }).length;
  const end = all.findIndex((each) => (left -= JSON.stringify(each).length + 1) < 0);
  if (end <= 0) return refusal('result_too_long', 'The result is too long to be shown.');
  return JSON.stringify({ appointments: all.slice(0, end), note: MORE });
}

/** Runs the model's tool calls within a turn, and keeps its decision about the conversation. */
export class ToolDesk {
  readonly tools: readonly ToolDescription[];
  /** The reply's action on the conversation; the first counts. */
  action: StatusAction | null = null;

  constructor(
    private readonly toolbox: Toolbox,
    private readonly signal: AbortSignal,
  ) {
    this.tools = [...toolbox.tools, ...CONVERSATION_TOOLS];
  }

  async run({ name, args }: ToolCall): Promise<string> {
    if (!this.tools.some((tool) => tool.name === name)) {
      return refusal('unknown_tool', `There is no such tool. There are: ${this.tools.map((tool) => tool.name).join(', ')}.`);
    }
    if (args === null) return refusal('arguments_invalid', 'The arguments were not a JSON object.');
    const action = statusActionOf(name, args);
    return action === null ? this.call(name, args) : this.decide(action);
  }

  private decide(action: StatusAction): string {
    if (this.action !== null) return refusal('already_decided', 'The conversation has already been handed off or ended.');
    this.action = action;
    return JSON.stringify({ ok: true });
  }

  private async call(name: string, args: unknown): Promise<string> {
    // A cancelled turn must not change anything.
    this.signal.throwIfAborted();
    const answer = await this.toolbox.call(name, args);
    if (!answer.ok) return refusal(answer.code, answer.message);
    return shown(answer.result);
  }
}
