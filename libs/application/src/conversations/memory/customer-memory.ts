import { Injectable, Logger } from '@nestjs/common';
import type { ConversationCard } from '@domain/conversation/conversation';
import type { CustomerMemory } from '@ports/agent.port';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { nameOf } from '@ports/failure';
import { LogThrottle } from '../../runtime/log-throttle.js';
import { EarlierConversations } from './earlier-conversations.js';
import { RememberedAppointments } from './remembered-appointments.js';

/** Afterwards the agent is asked without the memory. */
const MEMORY_WITHIN_MS = 500;
const NOTHING_REMEMBERED: CustomerMemory = { appointments: [], conversations: [] };

@Injectable()
export class CustomerMemories {
  private readonly logger = new Logger(CustomerMemories.name);
  private readonly throttle: LogThrottle;

  constructor(
    private readonly appointments: RememberedAppointments,
    private readonly earlier: EarlierConversations,
    private readonly clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Empty without a customer or on time-out. Never rejects. */
  async inTime(conversation: ConversationCard, customerId: string | null, messageId: string): Promise<CustomerMemory> {
    if (customerId === null) return NOTHING_REMEMBERED;
    const enough = new AbortController();
    const whole = this.whole(conversation, customerId, messageId, enough.signal);
    return inTime(this.clock, MEMORY_WITHIN_MS, whole, () => {
      enough.abort();
      return NOTHING_REMEMBERED;
    });
  }

  /** Leaves out what cannot be read; the tool that lists appointments reports its own failure. Never rejects. */
  private async whole(
    { id, projectId }: ConversationCard,
    customerId: string,
    messageId: string,
    leaving: AbortSignal,
  ): Promise<CustomerMemory> {
    const parts = await Promise.allSettled([
      this.appointments.appointmentsOf(projectId, customerId, messageId, leaving),
      this.earlier.earlierConversationsOf(projectId, customerId, id),
    ]);
    this.tell(id, parts, leaving);
    const [appointments, conversations] = parts;
    return {
      appointments: appointments.status === 'fulfilled' ? appointments.value : NOTHING_REMEMBERED.appointments,
      conversations: conversations.status === 'fulfilled' ? conversations.value : NOTHING_REMEMBERED.conversations,
    };
  }

  /** A time-out is not a failure. */
  private tell(conversationId: string, parts: readonly PromiseSettledResult<unknown>[], leaving: AbortSignal): void {
    const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as unknown] : []));
    for (const failure of failures) {
      if (failure === leaving.reason || !this.throttle.shouldLog(failure)) continue;
      this.logger.warn(`something is missing from the memory in ${conversationId}: ${nameOf(failure)}`);
    }
    if (failures.length === 0 && this.throttle.recovered()) this.logger.warn('memories are whole again');
  }
}
