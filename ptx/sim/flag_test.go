package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestFlags checks kernels in which a block passes a word to another block by a flag, each with one mistake. The
// finding must say what is missing on which side, and each of its suggestions must make the kernel sound.
func TestFlags(t *testing.T) {
	t.Parallel()
	const (
		data, later   = "st.global.u32 [%out], 42; // D\n", "bar.sync 0;\n"
		fence, narrow = "fence.acq_rel.gpu;\n", "fence.acq_rel.cta; // F\n"
		give, see     = "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32"
		release       = "st.release.gpu.global.u32"
		acquire       = "ld.acquire.gpu.global.u32"
	)
	// pass returns the kernel: block 0 executes before and then writes the flag by give; block 1 reads the flag by see
	// and then executes after.
	pass := func(before, give, see, after string) string {
		return "setp.ne.u32 %p5, %b, 0;\n@%p5 bra READ;\n" + before + give + " [%out+8192], 1; // W\nbra END;\nREAD:\n" +
			see + " %r2, [%out+8192]; // R\nsetp.eq.u32 %p6, %r2, 0;\n@%p6 bra READ;\n" + after +
			"ld.global.u32 %r3, [%out];\nEND:\n"
	}
	const flag = "the flag that line W writes and line R reads does not order them: "
	const (
		noRelease = "fence.acq_rel.gpu between lines D and W is missing, or .release at line W"
		noAcquire = "fence.acq_rel.gpu after line R is missing, or .acquire there"
		general   = "a flag or an atomic that orders the blocks is missing"
		both      = " needs .gpu on both sides"
	)
	for _, x := range []struct {
		name, body, text string
		mended           []string
	}{
		{"no fence of the writer", pass(data, give, see, fence), flag + noRelease, []string{pass(data+fence, give, see, fence), pass(data, release, see, fence)}},
		{"no fence of the reader", pass(data+fence, give, see, ""), flag + noAcquire, []string{pass(data+fence, give, see, fence), pass(data+fence, give, acquire, "")}},
		{"no fence", pass(data, give, see, ""), flag + noRelease + ", and " + noAcquire, []string{pass(data+fence, give, see, fence), pass(data, release, acquire, "")}},
		{"release without acquire", pass(data, release, see, ""), flag + noAcquire, []string{pass(data, release, acquire, ""), pass(data, release, see, fence)}},
		{"acquire without release", pass(data, give, acquire, ""), flag + noRelease, []string{pass(data, release, acquire, ""), pass(data+fence, give, acquire, "")}},
		{"a fence before the data", pass(fence+data, give, see, fence), flag + noRelease, []string{pass(data+fence, give, see, fence)}},
		{"a narrow fence of the writer", pass(data+narrow, give, see, fence), flag + "the fence before line W, or .release there, has the scope .cta, and needs .gpu", []string{pass(data+fence, give, see, fence)}},
		{"a narrow fence of the reader", pass(data+fence, give, see, narrow), flag + "the fence at line F has the scope .cta, and needs .gpu", []string{pass(data+fence, give, see, fence)}},
		{"a fence before the read", pass(data+fence, give, fence+see, ""), flag + noAcquire, []string{pass(data+fence, give, see, fence)}},
		{"a narrow write", pass(data+fence, "st.relaxed.cta.global.u32", see, fence), "st.relaxed.cta.global.u32 at line W has the scope .cta: a flag of two blocks" + both, []string{pass(data+fence, give, see, fence)}},
		{"a narrow read", pass(data+fence, give, "ld.relaxed.cta.global.u32", fence), "ld.relaxed.cta.global.u32 at line R has the scope .cta: a flag of two blocks" + both, []string{pass(data+fence, give, see, fence)}},
		{"a weak write", pass(data+fence, "st.global.u32", see, fence), "st.global.u32 at line W is weak: a flag needs .relaxed.gpu or more on both sides", []string{pass(data+fence, give, see, fence)}},
		{"a weak read", pass(data+fence, give, "ld.global.u32", fence), "ld.global.u32 at line R is weak: a flag needs .relaxed.gpu or more on both sides", []string{pass(data+fence, give, see, fence)}},
		{"atomics", pass(data, "red.global.add.u32", see, ""), flag + noRelease + ", and " + noAcquire, []string{pass(data, "red.release.gpu.global.add.u32", acquire, "")}},
		{"the data after the flag", strings.Replace(pass("", give, see, fence), "bra END;\n", data+"bra END;\n", 1), general, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			b := trial{grid: 2, block: 1, body: x.body}
			src := b.source()
			_, err := b.run(t, loadText(t, src), 0)
			if want := atLines(src, x.text); err == nil || !strings.Contains(err.Error(), "nothing orders the two: "+want) {
				t.Errorf("got %v, want %q", err, want)
			}
			trialsSound(t, 2, 1, x.mended)
		})
	}
	// The thread that writes the flag must first be ordered after the stores of the other threads.
	all := func(barrier, give string) string {
		return pass(strings.Replace(data, "st.", "@%p9 st.", 1)+barrier, "@%p0 "+give, see, fence)
	}
	for _, body := range []string{all("", release), all(later, give)} {
		b := trial{grid: 2, block: 64, body: "setp.eq.u32 %p9, %t, 20;\n" + body}
		src := b.source()
		_, err := b.run(t, loadText(t, src), 0)
		want := atLines(src, flag+"another thread writes the flag, which needs a barrier of both between lines D and W, "+
			"and then fence.acq_rel.gpu, or .release at line W")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, body := range []string{all(later, release), all(later+fence, give)} {
		trialsSound(t, 2, 64, []string{"setp.eq.u32 %p9, %t, 20;\n" + body})
	}
}

// trialsSound checks that kernels without a mistake have no finding.
func trialsSound(t *testing.T, grid, block int, bodies []string) {
	t.Helper()
	for _, body := range bodies {
		x := trial{grid: grid, block: block, body: body}
		p := loadText(t, x.source())
		for seed := range uint64(seedsTried) {
			if _, _, err := x.launch(t, p, sim.Launch{Seed: seed, Findings: 9}); err != nil {
				t.Errorf("seed %d: %v of\n%s", seed, err, body)
			}
		}
	}
}

// atLines replaces the letters that mark lines, as in "// D", in text by the numbers of these lines.
func atLines(src, text string) string {
	for i, line := range strings.Split(src, "\n") {
		if _, mark, ok := strings.Cut(line, "// "); ok {
			for _, s := range []string{"line %s", "lines %s", "and %s is", "and %s, "} {
				text = strings.ReplaceAll(text, fmt.Sprintf(s, mark), fmt.Sprintf(s, fmt.Sprint(i+1)))
			}
		}
	}
	return text
}
