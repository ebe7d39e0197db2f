import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams/streams.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { RetrySkippedEventHandler } from './retry-skipped-event.handler.js';
import { SkipRecorder } from './skip-recorder.js';
import { SkippedEventDirectory } from './skipped-event-directory.js';

@Module({
  imports: [StreamsModule, TasksModule],
  providers: [SkippedEventDirectory, SkipRecorder, RetrySkippedEventHandler],
  exports: [SkippedEventDirectory, SkipRecorder],
})
export class SkippedEventsModule {}
