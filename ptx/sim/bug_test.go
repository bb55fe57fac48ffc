package sim_test

import (
	"errors"
	"testing"

	"girih/ptx/sim"
)

// A bug is a pair after a bug that was found in use, at the place that the comment before it names: a repository, and
// the number of the issue or pull request. The kernels are our own and keep only the pattern.
type bug struct {
	pair
	kind   sim.Kind // of the finding, if it is not a race
	or     sim.Kind // in another order
	strict bool     // only a strict run finds the bug
}

// bugs runs both kernels of each pair in all orders that trials try. The sound one has no finding, and the broken one
// has a finding at a marked line. A bug that only a strict run finds is not found by a usual run, and the sound kernel
// has no finding in a strict run.
func bugs(t *testing.T, list []bug) {
	t.Helper()
	var all []trial
	for _, b := range list {
		sound := trial{name: b.name, body: b.sound, grid: b.grid, block: b.block, cluster: b.cluster}
		broken := sound
		broken.name, broken.body = b.name+" (broken)", b.broken
		if b.strict {
			strictly(t, sound, broken)
			all = append(all, sound, broken)
			continue
		}
		broken.kind, broken.or = sim.KindRace, sim.KindReadPending
		if b.kind != "" {
			broken.kind, broken.or = b.kind, b.or
		}
		all = append(all, sound, broken)
	}
	trials(t, all)
}

// strictly runs both kernels by the rules of a strict run.
func strictly(t *testing.T, sound, broken trial) {
	t.Helper()
	t.Run(sound.name+" (strict)", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(seedsTried) {
			l := sim.Launch{Seed: seed, Strict: true}
			if _, _, err := sound.launch(t, loadText(t, sound.source()), l); err != nil {
				t.Errorf("seed %d: the sound kernel: %v", seed, err)
			}
			src := broken.source()
			_, _, err := broken.launch(t, loadText(t, src), l)
			f, ok := errors.AsType[*sim.Finding](err)
			if !ok || !lines(src)[f.Pos.Line] {
				t.Errorf("seed %d: found %v, expected a finding at %v", seed, err, lines(src))
			}
		}
	})
}
