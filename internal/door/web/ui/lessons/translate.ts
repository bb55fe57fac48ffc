// Lessons in another language: the texts of a lesson without its expressions. A claim is written {{0}}, {{1}}, ...: the
// claim with that number in the same paragraph in English, so that numbers and expressions are told once.

import type { Lesson, Step } from "./model";

export interface LessonText {
  title: string;
  about: string;
  steps: StepText[];
}

export interface StepText {
  title: string;
  text: string[];
  ask?: { say: string; hint?: string };
  goal?: string;
  go?: string;
}

const claim = /\{\{.+? ==?> .+?\}\}(?!\})/g;

/** Puts the claims of a paragraph into its translation. */
export function withClaims(text: string, english: string): string {
  const claims = english.match(claim) ?? [];
  return text.replace(/\{\{(\d+)\}\}/g, (whole, k: string) => claims[Number(k)] ?? whole);
}

function step(s: Step, t: StepText | undefined): Step {
  if (!t) return s;
  return {
    ...s,
    title: t.title,
    text: s.text.map((x, k) => (t.text[k] ? withClaims(t.text[k], x) : x)),
    ask: s.ask && { ...s.ask, say: t.ask?.say ?? s.ask.say, hint: t.ask?.hint ?? s.ask.hint },
    goal: s.goal && { ...s.goal, say: t.goal ?? s.goal.say },
    go: s.go && { ...s.go, say: t.go ?? s.go.say },
  };
}

/** A lesson with the texts of another language. */
export function translate(l: Lesson, t: LessonText | undefined): Lesson {
  return t ? { ...l, title: t.title, about: t.about, steps: l.steps.map((s, k) => step(s, t.steps[k])) } : l;
}
