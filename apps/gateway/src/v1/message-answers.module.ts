import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { MessageAnswers } from './message-answers.js';
import { MessageStreams } from './message-streams.js';

/** For both interfaces: messages are answered alike in each. */
@Module({ imports: [HttpModule], providers: [MessageAnswers, MessageStreams], exports: [MessageAnswers] })
export class MessageAnswersModule {}
