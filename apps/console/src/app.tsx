import { lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { isOver, loadSession, session } from './state/session.js';
import { asProblem, useAnswer } from './state/use-answer.js';
import { Frame } from './frame.js';
import { Place } from './parts/place.js';
import { ProblemNote } from './parts/problem-note.js';
import { SignIn, SignInAgain } from './sign-in.js';
import { TEXTS } from './texts.js';
import { ROUTES } from './places/routes.js';
import { FirstProject } from './first-project.js';

/** What the session allows: nothing, the password, or the console. */
export function App() {
  const { problem, reload } = useAnswer(loadSession, []);
  if (session.value === undefined) return problem ? <ProblemNote problem={asProblem(problem)} onRetry={reload} /> : null;
  if (session.value === null) return <SignIn />;
  return (
    <LocationProvider scope="/admin/">
      <Frame>
        <Places />
      </Frame>
      {isOver.value && <SignInAgain />}
    </LocationProvider>
  );
}

const LAZY = ROUTES.map(({ path, load }) => ({ path, component: lazy(load) }));

function Places() {
  return (
    <Router onRouteChange={toTop}>
      {LAZY.map(({ path, component }) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route path="/admin" component={FirstProject} />
      <Route default component={Unknown} />
    </Router>
  );
}

function toTop(): void {
  scrollTo(0, 0);
}

function Unknown() {
  const { path } = useLocation();
  useEffect(() => undefined, [path]);
  return (
    <Place title={TEXTS.unknownPlace}>
      <p class="text">{path}</p>
    </Place>
  );
}
