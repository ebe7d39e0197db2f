import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { SessionDirectory } from './session-directory.js';
import { SessionOpening } from './session-opening.js';
import { AddSessionTurnHandler, ListSessionTurnsHandler } from './session-turns.handlers.js';
import { SessionViews } from './session-views.js';
import { CloseSessionHandler, GetSessionHandler, OpenSessionHandler } from './session.handlers.js';
import { StaleSessionSweeper } from './stale-session.sweeper.js';

@Module({
  imports: [StreamsModule, ClaimsModule, CustomersModule, ListsModule],
  providers: [
    SessionDirectory,
    SessionOpening,
    SessionViews,
    OpenSessionHandler,
    CloseSessionHandler,
    GetSessionHandler,
    AddSessionTurnHandler,
    ListSessionTurnsHandler,
    StaleSessionSweeper,
  ],
  exports: [SessionDirectory, StaleSessionSweeper],
})
export class SessionsModule {}
