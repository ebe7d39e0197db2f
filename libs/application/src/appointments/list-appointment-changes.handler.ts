import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PastChange } from '@domain/appointment/past-change';
import { EventStore } from '@ports/event-store.port';
import type { Page } from '../paging/page.js';
import { PagedLists } from '../paging/paged-list.js';
import { changeList, CHANGES } from './appointment-changes.js';
import { AppointmentDirectory } from './appointment-directory.js';
import { ListAppointmentChanges } from './appointment.commands.js';

@QueryHandler(ListAppointmentChanges)
export class ListAppointmentChangesHandler implements IQueryHandler<ListAppointmentChanges> {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly store: EventStore,
    private readonly lists: PagedLists,
  ) {}

  async execute({ projectId, appointmentId, page }: ListAppointmentChanges): Promise<Page<PastChange>> {
    this.lists.judge(CHANGES, page);
    await this.appointments.load(projectId, appointmentId);
    const source = changeList(this.store, await this.store.identity(), appointmentId);
    return this.lists.page({ ...source, walkedBy: projectId }, page);
  }
}
