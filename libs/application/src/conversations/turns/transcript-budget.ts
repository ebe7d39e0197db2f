import { Injectable } from '@nestjs/common';
import { Budget, type BudgetSlot } from '@kit/budget';
import { AgentFailed } from '@ports/agent.port';

const MEBI = 1024 * 1024;
/** In characters. A project that holds less than `least` is let in however much the others hold. */
const BOUNDS = { total: 48 * MEBI, perOwner: 16 * MEBI, least: MEBI };

/**
 * Bounds the characters of the transcripts under way, per project and in all: a turn holds several copies of its transcript
 * for as long as its agent takes, and a model that hangs takes five minutes.
 */
@Injectable()
export class TranscriptBudget {
  private readonly budget = new Budget(BOUNDS);

  /**
   * Takes the weight until the signal aborts: true when there was room at once, else a promise that resolves once there is.
   * It rejects with `AgentFailed` when the signal aborts first. A turn that is over already takes nothing.
   */
  enter(projectId: string, weight: number, over: AbortSignal): true | Promise<void> {
    if (over.aborted) return true;
    const slot = this.budget.tryEnter(projectId, weight);
    if (!slot) return this.wait(projectId, weight, over);
    leaveOnceOver(slot, over);
    return true;
  }

  private async wait(projectId: string, weight: number, over: AbortSignal): Promise<void> {
    const slot = await this.budget.enter(projectId, weight, over).catch(() => {
      throw new AgentFailed('timeout', 'The turn was given up before there was room for its transcript.');
    });
    leaveOnceOver(slot, over);
  }
}

function leaveOnceOver(slot: BudgetSlot, over: AbortSignal): void {
  // The signal may have aborted between the grant of a slot that was waited for and here.
  if (over.aborted) slot.leave();
  else over.addEventListener('abort', slot.leave, { once: true });
}
