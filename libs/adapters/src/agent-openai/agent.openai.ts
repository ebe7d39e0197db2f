import { beginning } from '@domain/kernel/code-points';
import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import type { Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import { CallIds } from './call-ids.js';
import { Dialogue } from './dialogue.js';
import { echoOf } from './echo.js';
import type { ToolCall } from './tool-call.js';
import { ModelClient, type ModelOptions } from './model-client.js';
import { ModelExchange, type ModelServer } from './model-exchange.js';
import { ServerState } from './server-state.js';
import { Speech } from './speech.js';
import { ToolDesk } from './tool-desk.js';

/** Rounds of tool calls; the toolbox limits the number of calls. */
const ROUNDS = 5;
const MAX_REPLY_LENGTH = 32_000;

function cleanText(content: string): string {
  return beginning(content.toWellFormed().replaceAll('\0', '').trim(), MAX_REPLY_LENGTH);
}

function replyOf(content: string, { action }: ToolDesk): AgentReply {
  return { content: cleanText(content), actions: action === null ? [] : [action] };
}

/** An agent on any OpenAI-compatible server. The model only proposes; the toolbox decides what a call does, and for whom. */
export class OpenAiAgent extends Agent {
  readonly name = 'openai';

  private readonly server: ModelServer;

  /** `log` gets lines for the operator, never content of a conversation. */
  constructor(options: ModelOptions, clock: Clock, log: (line: string) => void = () => undefined) {
    super();
    this.server = { model: new ModelClient(options), state: new ServerState(clock, log), clock, log };
  }

  async reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.converse(turn, own()), signal);
    } catch (error) {
      if (error instanceof AgentFailed || isRetryableStoreError(error)) throw error;
      throw new AgentFailed('internal', `The request to the model failed: ${nameOf(error)}.`);
    }
  }

  private async converse(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    const dialogue = await this.opening(turn);
    const desk = new ToolDesk(turn.toolbox, signal);
    const speech = new Speech(turn.draft);
    const exchange = new ModelExchange(this.server, dialogue, desk, turn.windowEndsAt, speech);
    try {
      return await this.rounds(exchange, dialogue, desk, signal);
    } catch (error) {
      speech.restart();
      // A hand-off or end that the model has chosen holds, even if asking for its final text fails.
      if (error instanceof AgentFailed && desk.action !== null && !signal.aborted) return replyOf('', desk);
      throw error;
    }
  }

  private async opening(turn: AgentTurn): Promise<Dialogue> {
    // The transcript may wait for free memory; the customer's history is loaded after it, so that it is fresh.
    const lines = await turn.transcript();
    const remembered = await turn.memory();
    return new Dialogue(turn, lines, remembered, this.server.state.needs);
  }

  private async rounds(exchange: ModelExchange, dialogue: Dialogue, desk: ToolDesk, signal: AbortSignal): Promise<AgentReply> {
    const ids = new CallIds();
    let content = '';
    for (let round = 0; ; round += 1) {
      const mayCallTools = round < ROUNDS;
      const answer = await exchange.answer(mayCallTools, signal);
      if (answer.content.trim() !== '') ({ content } = answer);
      if (answer.calls.length === 0 || !mayCallTools) return replyOf(content, desk);
      const calls = ids.withUniqueIds(answer.calls);
      dialogue.add(echoOf({ ...answer, calls }), answer.thoughts);
      const needsAnswer = await this.run(calls, desk, dialogue);
      if (desk.action !== null && !needsAnswer) return replyOf(content, desk);
    }
  }

  /** Runs the calls in order. True if a result must go back to the model. */
  private async run(calls: readonly ToolCall[], desk: ToolDesk, dialogue: Dialogue): Promise<boolean> {
    let needsAnswer = false;
    for (const call of calls) {
      const decided = desk.action;
      const content = await desk.run(call);
      needsAnswer ||= decided === desk.action;
      dialogue.add({ role: 'tool', tool_call_id: call.id, content });
    }
    return needsAnswer;
  }
}
