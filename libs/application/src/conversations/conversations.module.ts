import { Module } from '@nestjs/common';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { AgentReplies } from '../turns/agent-replies.js';
import { CustomerMemories } from '../turns/customer-memory.js';
import { EarlierConversations } from '../turns/earlier-conversations.js';
import { TranscriptBudget } from '../turns/transcript-budget.js';
import { TurnAttachment } from '../turns/turn-attachment.js';
import { TurnContext } from '../turns/turn-context.js';
import { TurnRunner } from '../turns/turn-runner.js';
import { TurnSweeper } from '../turns/turn.sweeper.js';
import { ConversationLines } from './conversation-lines.js';
import { EndConversationHandler, GetConversationHandler } from './conversation.handlers.js';
import { IdleSweeper } from './idle.sweeper.js';
import { MessageJobs } from './message-jobs.js';
import { MessagePlaces } from './message-places.js';
import { MessagePost } from './message-post.js';
import { OpenConversationHandler } from './open-conversation.handler.js';
import { SendMessageHandler } from './send-message.handler.js';
import { Threads } from './threads.js';
import { GetTranscriptHandler } from './transcript.handler.js';

@Module({
  imports: [StreamsModule, ClaimsModule, CustomersModule, ProjectsModule, ListsModule, AgentToolsModule],
  providers: [
    Threads,
    ConversationLines,
    MessagePost,
    MessagePlaces,
    MessageJobs,
    EarlierConversations,
    CustomerMemories,
    TranscriptBudget,
    TurnContext,
    AgentReplies,
    TurnRunner,
    TurnAttachment,
    TurnSweeper,
    IdleSweeper,
    OpenConversationHandler,
    SendMessageHandler,
    EndConversationHandler,
    GetConversationHandler,
    GetTranscriptHandler,
  ],
  exports: [TurnSweeper, IdleSweeper],
})
export class ConversationsModule {}
