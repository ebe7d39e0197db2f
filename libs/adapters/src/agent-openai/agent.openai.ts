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
import { ToolDesk } from './tool-desk.js';

/** Rounds of tool calls (api-contract §16); the toolbox bounds the number of calls. */
const ROUNDS = 5;
const MAX_REPLY_LENGTH = 32_000;

function worded(content: string): string {
  return beginning(content.toWellFormed().replaceAll('\0', '').trim(), MAX_REPLY_LENGTH);
}

function replyOf(content: string, { action }: ToolDesk): AgentReply {
  return { content: worded(content), actions: action === null ? [] : [action] };
}

/** Answers by any OpenAI-compatible server. The model only proposes; the toolbox decides what a call does, and for whom. */
export class OpenAiAgent extends Agent {
  readonly name = 'openai';

  private readonly server: ModelServer;

  /** `log` takes lines for the operator, without content. */
  constructor(options: ModelOptions, clock: Clock, log: (line: string) => void = () => undefined) {
    super();
    this.server = { model: new ModelClient(options), state: new ServerState(clock, log), clock, log };
  }

  async reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.converse(turn, own()), signal);
    } catch (error) {
      if (error instanceof AgentFailed || isRetryableStoreError(error)) throw error;
      throw new AgentFailed('internal', `The turn could not be put to the model: ${nameOf(error)}.`);
    }
  }

  private async converse(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    const dialogue = await this.opening(turn);
    const desk = new ToolDesk(turn.toolbox, signal);
    const exchange = new ModelExchange(this.server, dialogue, desk, turn.windowEndsAt);
    try {
      return await this.rounds(exchange, dialogue, desk, signal);
    } catch (error) {
      // What the model decided about the conversation stands, also where it cannot comment on its other calls.
      if (error instanceof AgentFailed && desk.action !== null && !signal.aborted) return replyOf('', desk);
      throw error;
    }
  }

  private async opening(turn: AgentTurn): Promise<Dialogue> {
    // The transcript may have to wait for memory: load the customer's memory after it, so that it is not held meanwhile.
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
      const calls = ids.told(answer.calls);
      dialogue.add(echoOf({ ...answer, calls }), answer.thoughts);
      const callsServer = await this.run(calls, desk, dialogue);
      if (desk.action !== null && !callsServer) return replyOf(content, desk);
    }
  }

  /** Runs the calls in order. True where any of them has a result that the model has to comment on. */
  private async run(calls: readonly ToolCall[], desk: ToolDesk, dialogue: Dialogue): Promise<boolean> {
    let callsServer = false;
    for (const call of calls) {
      const decided = desk.action;
      const content = await desk.run(call);
      callsServer ||= decided === desk.action;
      dialogue.add({ role: 'tool', tool_call_id: call.id, content });
    }
    return callsServer;
  }
}
