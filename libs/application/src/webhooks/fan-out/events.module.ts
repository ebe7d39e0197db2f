import { Module } from '@nestjs/common';
import { EmittedEvents } from './emitted-events.js';
import { EventChanges } from './event-changes.js';
import { GetEventHandler, ListEventsHandler } from './event.handlers.js';

@Module({ providers: [EmittedEvents, EventChanges, ListEventsHandler, GetEventHandler], exports: [EmittedEvents, EventChanges] })
export class EventsModule {}
