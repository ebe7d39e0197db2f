import { AgentFailed } from '@ports/agent.port';
import { type Clock, pause } from '@ports/clock.port';
import type { Dialogue, Remedy } from './dialogue.js';
import type { Fault, ModelAnswer } from './model-answer.js';
import type { ModelClient } from './model-client.js';
import { QuestionRefused, type Trouble } from './model-failure.js';
import type { Need, ServerState } from './server-state.js';
import type { Speech } from './speech.js';
import type { ToolDesk } from './tool-desk.js';

const MAX_REQUESTS = 4;

const BY_TROUBLE: Readonly<Record<Trouble, readonly Remedy[]>> = {
  size: ['less'],
  content: ['less'],
  turns: ['turns', 'no_system'],
  system: ['no_system', 'turns'],
  tools: ['no_tool_choice', 'no_tools'],
  stream: ['no_stream'],
  generation: [],
  unknown: [],
};
/** Those that cost the customer least come first. */
const ANY: readonly Remedy[] = ['no_tool_choice', 'turns', 'thoughts', 'answered', 'no_system', 'no_tools', 'less'];

/** Also applied to the last request, if the server gives no reason. */
const AT_LAST: readonly Remedy[] = ['no_stream', 'no_system', 'no_tools'];

const FAULTS: Readonly<Record<Exclude<Fault, 'empty'>, string>> = {
  length: 'The model server cut the answer off.',
  content_filter: 'The model server filtered the answer.',
  unreadable_call: 'The model wrote a tool call that cannot be run.',
};

function isNeed(remedy: Remedy): remedy is Need {
  return remedy !== 'answered' && remedy !== 'less' && remedy !== 'least';
}

interface Round {
  readonly mayCallTools: boolean;
  requests: number;
  /** The changes since the first request, and whether the server's message asked for them. */
  tried: { readonly remedy: Remedy; readonly wasNamed: boolean }[];
  tooLong: number;
  wasFaulty: boolean;
}

export interface ModelServer {
  readonly model: ModelClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Puts one turn to a model server: in another form after a refusal, and shorter after a cut-off answer. */
export class ModelExchange {
  private hasWaited = false;

  constructor(
    private readonly server: ModelServer,
    private readonly dialogue: Dialogue,
    private readonly desk: ToolDesk,
    private readonly windowEndsAt: number,
    private readonly speech: Speech,
  ) {
    dialogue.shortenTo(server.state.longestPrompt);
  }

  /** The answer of one round: at most four requests, all but the first begun within the window. */
  async answer(mayCallTools: boolean, signal: AbortSignal): Promise<ModelAnswer> {
    const round: Round = { mayCallTools, requests: 0, tried: [], tooLong: Infinity, wasFaulty: false };
    for (;;) {
      try {
        round.requests += 1;
        const answer = await this.ask(mayCallTools, signal);
        this.remember(round);
        if (answer.beganInThoughts) this.rememberThoughts(round);
        const { fault } = answer;
        if (fault === null || !this.mayAskAgain(fault, round)) return answer;
      } catch (error) {
        if (round.requests >= MAX_REQUESTS || !this.isInWindow(0) || !(await this.mend(error, round, signal))) throw error;
      }
    }
  }

  private ask(mayCallTools: boolean, signal: AbortSignal): Promise<ModelAnswer> {
    const question = this.dialogue.question(this.desk.tools, mayCallTools);
    this.speech.restart();
    return this.server.model.answer(question, signal, (message) => this.speech.hear(message, question.callable));
  }

  private isInWindow(afterMs: number): boolean {
    return this.server.clock.now() + afterMs < this.windowEndsAt;
  }

  /** Throws if a faulty answer cannot be retried, unless it is empty: the turn may still have changed appointments. */
  private mayAskAgain(fault: Fault, round: Round): boolean {
    const isLast = !this.isFirstFault(round) || round.requests >= MAX_REQUESTS || !this.isInWindow(0);
    if (isLast) {
      if (fault === 'empty') return false;
      throw new AgentFailed('malformed_reply', FAULTS[fault]);
    }
    this.dialogue.askBriefly();
    if (fault === 'content_filter') this.becomes('less', round);
    return true;
  }

  private isFirstFault(round: Round): boolean {
    const isFirst = !round.wasFaulty;
    round.wasFaulty = true;
    return isFirst;
  }

  private async mend(error: unknown, round: Round, signal: AbortSignal): Promise<boolean> {
    if (error instanceof QuestionRefused) return this.tellOtherwise(error, round);
    if (!(error instanceof AgentFailed) || error.retryAfterMs === null) return false;
    if (this.hasWaited || !this.isInWindow(error.retryAfterMs)) return false;
    this.hasWaited = true;
    await pause(this.server.clock, error.retryAfterMs, signal);
    return !signal.aborted;
  }

  private tellOtherwise({ trouble, message }: QuestionRefused, round: Round): boolean {
    if (trouble === 'generation') return this.isFirstFault(round);
    if (trouble === 'size') round.tooLong = Math.min(round.tooLong, this.dialogue.length);
    const named = BY_TROUBLE[trouble];
    const isLast = round.requests === MAX_REQUESTS - 1;
    const mayShrink = trouble === 'size' || trouble === 'content' || trouble === 'unknown';
    const remedies = mayShrink && isLast ? (['least'] as const) : named.includes('less') ? named : [...named, ...ANY];
    const remedy = remedies.find((each) => this.becomes(each, round));
    if (isLast && trouble === 'unknown') for (const each of AT_LAST) this.becomes(each, round);
    if (remedy === undefined) return false;
    round.tried.push({ remedy, wasNamed: named.includes(remedy) });
    this.server.log(`${message} It is asked again in another form (${remedy}).`);
    return true;
  }

  private becomes(remedy: Remedy, { mayCallTools }: Round): boolean {
    return this.dialogue.become(remedy, this.desk.tools, mayCallTools);
  }

  private rememberThoughts(round: Round): void {
    this.becomes('whole', round);
    this.server.state.remember('whole');
  }

  /** Remembers what the server needed: the change that succeeded, and those its messages asked for. */
  private remember(round: Round): void {
    const { tried, tooLong } = round;
    round.tried = [];
    round.tooLong = Infinity;
    for (const [index, { remedy, wasNamed }] of tried.entries())
      if (isNeed(remedy) && (wasNamed || index === tried.length - 1)) this.server.state.remember(remedy);
    if (tooLong < Infinity) this.server.state.rememberTooLong(tooLong);
  }
}
