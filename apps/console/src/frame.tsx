import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { ChangePassword } from './change-password.js';
import { Navigation } from './navigation.js';
import { ProblemNote } from './parts/problem-note.js';
import { Search } from './search.js';
import { connection, followProject } from './state/changes.js';
import { lastProject, ProjectContext, rememberProject } from './state/project.js';
import { signOut } from './state/session.js';
import { useAction } from './state/use-action.js';
import { TEXTS } from './texts.js';

const PROJECT = /^\/admin\/(prj_[^/]+)/;

/** Navigation, search and the place; it follows the changes of the project that the address names. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const { run, isRunning, problem } = useAction();
  const named = PROJECT.exec(path)?.[1];
  const [project, setProject] = useState(named ?? lastProject() ?? '');
  if (named !== undefined && named !== project) setProject(named);
  useEffect(() => {
    if (project === '') return undefined;
    rememberProject(project);
    return followProject(project);
  }, [project]);
  return (
    <ProjectContext.Provider value={named ?? project}>
      <a class="skip" href="#content">
        {TEXTS.skip}
      </a>
      <div class="frame">
        <Navigation />
        <div class="body">
          <div class="top">
            <Search />
            <div class="row">
              <ChangePassword />
              <button type="button" class="plain" disabled={isRunning} onClick={() => run(signOut)}>
                {TEXTS.signIn.out}
              </button>
            </div>
          </div>
          <ProblemNote problem={problem} />
          {connection.value === 'lost' && (
            <p class="card warning" role="status">
              {TEXTS.problem.offline}
            </p>
          )}
          <main id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
    </ProjectContext.Provider>
  );
}
