import { beginning } from '@domain/kernel/code-points';
import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { unlessGivenUp } from '@ports/unless-given-up';
import { briefing } from './briefing.js';
import { CallIds } from './call-ids.js';
import { Dialogue } from './dialogue.js';
import { echoOf } from './echo.js';
import type { ModelAnswer, ToolCall } from './model-answer.js';
import { ModelClient, type ModelOptions, type Question, QuestionRefused } from './model-client.js';
import { ToolDesk } from './tool-desk.js';

/** Rounds of tool calls (api-contract §16); the toolbox bounds the number of calls. */
const ROUNDS = 5;
const LONGEST_REPLY = 32_000;

async function opening(turn: AgentTurn): Promise<Dialogue> {
  // The transcript may have to wait for memory: load the customer's memory after it, so that it is not held meanwhile.
  const lines = await turn.transcript();
  const remembered = await turn.memory();
  const saidAt = lines.at(-1)?.at ?? turn.now;
  return new Dialogue(briefing(turn, remembered, saidAt), lines);
}

function worded(content: string): string {
  return beginning(content.toWellFormed().replaceAll('\0', '').trim(), LONGEST_REPLY);
}

function replyOf(content: string, { action }: ToolDesk): AgentReply {
  return { content: worded(content), actions: action === null ? [] : [action] };
}

/** Answers by any OpenAI-compatible server. The model only proposes; the toolbox decides what a call does, and for whom. */
export class OpenAiAgent extends Agent {
  private readonly model: ModelClient;

  constructor(options: ModelOptions) {
    super();
    this.model = new ModelClient(options);
  }

  async reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    try {
      return await unlessGivenUp((own) => this.converse(turn, own()), signal);
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      throw new AgentFailed('internal', `The turn could not be put to the model: ${nameOf(error)}.`);
    }
  }

  private async converse(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    const dialogue = await opening(turn);
    const desk = new ToolDesk(turn.toolbox, signal);
    const ids = new CallIds();
    let content = '';
    for (let round = 0; ; round += 1) {
      const mayCallTools = round < ROUNDS;
      const answer = await this.answer(dialogue, { tools: desk.tools, mayCallTools }, signal);
      if (answer.content.trim() !== '') ({ content } = answer);
      if (answer.calls.length === 0 || !mayCallTools) return replyOf(content, desk);
      const calls = ids.told(answer.calls);
      dialogue.add(echoOf({ ...answer, calls }), answer.thoughts);
      const callsServer = await this.run(calls, desk, dialogue);
      if (desk.action !== null && !callsServer) return replyOf(content, desk);
    }
  }

  /** Sends a refused dialogue again, as long as there is a stricter form of it. */
  private async answer(dialogue: Dialogue, how: Omit<Question, 'messages'>, signal: AbortSignal): Promise<ModelAnswer> {
    for (;;) {
      try {
        return await this.model.answer({ ...how, messages: dialogue.messages }, signal);
      } catch (error) {
        if (!(error instanceof QuestionRefused) || !dialogue.becomeStricter()) throw error;
      }
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
