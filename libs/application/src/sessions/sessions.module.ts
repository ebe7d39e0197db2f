import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { ListsModule } from '../projections/lists.module.js';
import { StreamsModule } from '../streams.module.js';
import { CloseSessionHandler, GetSessionHandler, OpenSessionHandler } from './session.handlers.js';
import { SessionDirectory } from './session-directory.js';
import { SessionViews } from './session-views.js';
import { AddSessionTurnHandler, ListSessionTurnsHandler } from './session-turns.handlers.js';
import { StaleSessionSweeper } from './stale-session.sweeper.js';

@Module({
  imports: [StreamsModule, CustomersModule, ListsModule],
  providers: [
    SessionDirectory,
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
