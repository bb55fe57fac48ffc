package sim_test

import (
	"errors"
	"testing"

	"girih/ptx/sim"
)

// A bug is a pair of kernels modelled on a bug that was found in practice. The comment before it names the repository
// and the number of the issue or pull request. The kernels are our own and contain only the pattern of the bug.
type bug struct {
	pair
	kind   sim.Kind // the kind of the finding; "" for a race
	or     sim.Kind // the kind of the finding in another order
	strict bool     // only a strict run finds the bug
}

// bugs runs both kernels of each pair in all orders that trials try. The sound kernel must have no finding, and the
// broken kernel must have a finding at a marked line. If strict is set, only a strict run finds the bug, and the sound
// kernel must have no finding in a strict run either.
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

// strictly checks both kernels in a strict run.
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
