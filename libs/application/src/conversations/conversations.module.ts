import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { AmendConversationHandler } from './amend-conversation.handler.js';
import { EndConversationHandler, GetConversationHandler } from './conversation.handlers.js';
import { FollowMessageHandler, GetMessageHandler } from './follow/follow-message.handlers.js';
import { MessageFollower } from './follow/message-follower.js';
import { HandOffConversationHandler, ResumeConversationHandler } from './handoff.handlers.js';
import { IdleSweeper } from './idle.sweeper.js';
import { CustomerMemories } from './memory/customer-memory.js';
import { EarlierConversations } from './memory/earlier-conversations.js';
import { OpenConversationHandler } from './open-conversation.handler.js';
import { PostAsHumanHandler } from './post-as-human.handler.js';
import { ConversationQueue, ConversationRouter } from './post/conversation-router.js';
import { MessageWriter } from './post/message-writer.js';
import { PendingReplies } from './post/pending-replies.js';
import { PostMessageHandler } from './post/post-message.handler.js';
import { GetConversationStatsHandler } from './stats/conversation-stats.handler.js';
import { Threads } from './threads.js';
import { AgentToolsModule } from './tools/agent-tools.module.js';
import { GetTranscriptHandler } from './transcript/transcript.handler.js';
import { AgentReplies } from './turns/agent-replies.js';
import { LiveReplies } from './turns/live-replies.js';
import { TranscriptBudget, TurnContext } from './turns/turn-context.js';
import { TurnOutcomes } from './turns/turn-outcomes.js';
import { TurnRunner } from './turns/turn-runner.js';
import { TurnSweeper } from './turns/turn.sweeper.js';

@Module({
  imports: [StreamsModule, ClaimsModule, CustomersModule, ProjectsModule, ListsModule, AgentToolsModule],
  providers: [
    Threads,
    ConversationQueue,
    MessageWriter,
    ConversationRouter,
    PendingReplies,
    EarlierConversations,
    CustomerMemories,
    TranscriptBudget,
    TurnContext,
    AgentReplies,
    LiveReplies,
    MessageFollower,
    GetMessageHandler,
    FollowMessageHandler,
    TurnRunner,
    TurnOutcomes,
    TurnSweeper,
    IdleSweeper,
    OpenConversationHandler,
    PostMessageHandler,
    AmendConversationHandler,
    EndConversationHandler,
    HandOffConversationHandler,
    ResumeConversationHandler,
    PostAsHumanHandler,
    GetConversationHandler,
    GetTranscriptHandler,
    GetConversationStatsHandler,
  ],
  exports: [TurnSweeper, IdleSweeper],
})
export class ConversationsModule {}
