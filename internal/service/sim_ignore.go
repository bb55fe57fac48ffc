//go:build !js || kernels

package service

import (
	"slices"
	"strconv"
	"strings"

	"girih/internal/lang/report"
	"girih/ptx/sim"
)

// DefaultFindings is how many findings --continue reports if given no number.
const DefaultFindings = 20

const (
	maxFindings = 1 << 16 // the most findings that are reported
	maxIgnored  = 1 << 10 // the most kinds and lines to ignore
)

// ignoreList reads the findings to ignore: KIND or KIND:LINE, also several with commas.
func (q SimRequest) ignoreList() ([]sim.Ignore, *report.Error) {
	var list []sim.Ignore
	for part := range strings.SplitSeq(strings.Join(q.Ignore, ","), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		kind, line, at := strings.Cut(part, ":")
		i := sim.Ignore{Kind: sim.Kind(kind)}
		if !slices.Contains(sim.Passable(), i.Kind) {
			return nil, usage("expected a kind of findings that a run can go on after, %s, found %.40q", passable(), kind)
		}
		if at {
			n, err := strconv.Atoi(line)
			if err != nil || n < 1 || n > 1<<31-1 {
				return nil, usage("expected KIND:LINE with a line of the PTX, found %.60q", part)
			}
			i.Line = n
		}
		if list = append(list, i); len(list) > maxIgnored {
			return nil, usage("expected up to %d findings to pass over, found more", maxIgnored)
		}
	}
	return list, nil
}

// passable names the kinds of findings after which a run can go on.
func passable() string { return kindsText(sim.Passable(), "or") }

// kindsText names kinds, with a word before the last one.
func kindsText(list []sim.Kind, word string) string {
	var names []string
	for _, k := range list {
		names = append(names, string(k))
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + word + " " + names[len(names)-1]
}

// simEnds names the kinds of findings that end a run, in two lines of help.
func simEnds() string {
	return strings.Replace(kindsText(sim.Ending(), "and"), "steps, ", "steps,\n", 1)
}
