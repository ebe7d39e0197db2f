import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { AppointmentChangesController } from './appointment-changes.controller.js';
import { AppointmentsController } from './appointments.controller.js';
import { ConversationsController } from './conversations.controller.js';
import { CustomerExportController } from './customer-export/customer-export.controller.js';
import { CustomerExportModule } from './customer-export/customer-export.module.js';
import { CustomersController } from './customers.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { EndpointTasksController } from './endpoint-tasks.controller.js';
import { EventsController } from './events.controller.js';
import { FilterTrialsController } from './filter-trials.controller.js';
import { IssuesController } from './issues.controller.js';
import { MessageAnswersModule } from './message-answers.module.js';
import { MessagesController } from './messages.controller.js';
import { RetryDeliveriesController } from './retry-deliveries.controller.js';
import { SessionsController } from './sessions.controller.js';
import { TasksController } from './tasks.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookStatsController } from './webhook-stats.controller.js';

/** The client API. Each is also an administrator's, see `admin/projects`. */
export const CLIENT_CONTROLLERS = [
  ConversationsController,
  MessagesController,
  CustomersController,
  CustomerExportController,
  SessionsController,
  AppointmentsController,
  AppointmentChangesController,
  WebhookEndpointsController,
  FilterTrialsController,
  WebhookStatsController,
  EventsController,
  DeliveriesController,
  IssuesController,
  TasksController,
  RetryDeliveriesController,
  EndpointTasksController,
] as const;

@Module({ imports: [CustomerExportModule, HttpModule, MessageAnswersModule], controllers: [...CLIENT_CONTROLLERS] })
export class ClientHttpModule {}
