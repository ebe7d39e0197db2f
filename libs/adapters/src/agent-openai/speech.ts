import type { ReplyDraft } from '@ports/agent.port';
import { hasCalls } from './model-answer.js';
import { AT_THE_BEGINNING, speakable } from './speakable.js';
import type { Wire } from './wire.js';

/** Says a model's reply while it is still written, and takes back what turns out not to be the reply. */
export class Speech {
  private progress = AT_THE_BEGINNING;
  private heard = '';
  private hasSaid = false;

  constructor(private readonly draft: ReplyDraft) {}

  /** Takes back what was said: another answer begins, or there is none. */
  restart(): void {
    if (this.hasSaid) this.draft.reset();
    this.hasSaid = false;
    this.heard = '';
    this.progress = AT_THE_BEGINNING;
  }

  /** `message` is as far as it has come. */
  hear(message: Wire, tools: readonly string[]): void {
    const { content } = message;
    if (hasCalls(message)) return this.fallSilent();
    if (this.progress.isOver || typeof content !== 'string') return;
    if (!content.startsWith(this.heard)) return this.fallSilent();
    this.heard = content;
    const { words, progress } = speakable(content, this.progress, tools);
    this.progress = progress;
    if (words === '') return;
    this.hasSaid = true;
    this.draft.add(words);
  }

  private fallSilent(): void {
    this.restart();
    this.progress = { ...AT_THE_BEGINNING, isOver: true };
  }
}
