package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/ptx/sim"
)

// multiplies prepares a warpgroup with two matrices in shared memory, and with accumulators in %f1 to %f4 and in %f5 to
// %f7 and %f0. Threads of other warps jump to OTHER, which is in the code after multiplies.
const multiplies = `.reg .pred %q<4>;
	setp.ge.u32 %q1, %t, 128; mov.u32 %r2, 0x3c003c00; mad.lo.u32 %r1, %t, 16, %s;
	@!%q1 st.shared.v4.u32 [%r1], {%r2, %t, %r2, %t}; @%p2 st.shared.v4.u32 [%r1+2048], {%r2, %t, %r2, %t};
	fence.proxy.async; bar.sync 0;
	shr.u32 %r3, %s, 4; cvt.u64.u32 %rd20, %r3; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;
	mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
	mov.f32 %f5, %f1; mov.f32 %f6, %f1; mov.f32 %f7, %f1; mov.f32 %f0, %f1;
	mov.u32 %r11, 0; @%q1 bra OTHER; wgmma.fence.sync.aligned;
`

const (
	product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 0, 0; // M\n"
	second  = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f5, %f6, %f7, %f0}, %rd20, %rd21, 1, 1, 1, 0, 0;\n"
	commits = "wgmma.commit_group.sync.aligned;\n"
	used    = "st.global.f32 [%po], %f1;\n"
)

func waits(n int) string { return fmt.Sprintf("wgmma.wait_group.sync.aligned %d; // W\n", n) }

// TestWgmmaHints checks that a finding about wgmma names the step that the warps left out, and that adding the step
// removes the finding, in the usual order and in some other orders.
func TestWgmmaHints(t *testing.T) {
	t.Parallel()
	const (
		over = "st.shared.u32 [%st], %t;\n"
		last = "bra OUT;\nOTHER:\nbar.sync 1, 160;\nmad.lo.u32 %r4, %l, 4, %s;\nst.shared.u32 [%r4], %t;\nOUT:\n"
		tell = "bar.arrive 1, 160;\n"
	)
	for _, x := range []struct {
		name, body, text, sound string
		block                   int
	}{
		{name: "no wait", body: product + commits + used, text: "has as accumulator: wgmma.wait_group is missing before it", sound: product + commits + waits(0) + used},
		{name: "no commit", body: product + waits(0) + used, text: "the wgmma.wait_group at line W does not wait for it, since wgmma.commit_group between the two is missing", sound: product + commits + waits(0) + used},
		{name: "neither", body: product + used, text: ": no wgmma.commit_group has closed its group, and wgmma.wait_group is missing before it"},
		{name: "the newest group", body: product + commits + waits(1) + used, text: "the wgmma.wait_group at line W lets it pass: N = 1, and its group is the newest; N = 0 waits for it", sound: product + commits + waits(0) + used},
		{name: "one group behind", body: product + commits + second + commits + waits(2) + used, text: "the wgmma.wait_group at line W lets it pass: N = 2, and one group is newer than its own; N = 1 waits for it", sound: product + commits + second + commits + waits(1) + used},
		{name: "empty groups", body: product + commits + commits + commits + waits(3) + used, text: "the wgmma.wait_group at line W lets it pass: N = 3, and 2 groups are newer than its own; N = 2 waits for it", sound: product + commits + commits + commits + waits(2) + used},
		{name: "a wait before it", body: product + commits + waits(0) + product + commits + used, text: "wgmma.wait_group is missing before it: the wait at line W was executed before it began"},
		{name: "operands of its own", body: product + commits + over + waits(0), text: ": wgmma.wait_group is missing before it", sound: product + commits + waits(0) + over},
		{name: "operands, and the wrong N", body: product + commits + waits(1) + over, text: "the wgmma.wait_group at line W lets it pass: N = 1, and its group is the newest; N = 0 waits for it", sound: product + commits + waits(0) + over},
		{name: "another warp tells before it waits", block: 160, body: product + commits + tell + waits(0) + used + last, text: "a barrier between wgmma.wait_group of one of these warps and this is missing", sound: product + commits + waits(0) + tell + used + last},
		{name: "another warp that never waits", block: 160, body: product + commits + tell + last, text: "still uses: wgmma.wait_group is missing before it"},
		{name: "another warp with the wrong N", block: 160, body: product + commits + waits(1) + tell + last, text: "the wgmma.wait_group at line W let it pass: N = 1, and its group was the newest; N = 0 or a later wait, and a barrier, have to come before this", sound: product + commits + waits(0) + tell + last},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			run := func(body string, seed uint64) (string, error) {
				if !strings.Contains(body, "OTHER:") {
					body += "OTHER:\n"
				}
				k := trial{block: max(x.block, 128), body: multiplies + body}
				_, err := k.run(t, loadText(t, k.source()), seed)
				return k.source(), err
			}
			src, err := run(x.body, 0)
			f, ok := errors.AsType[*sim.Finding](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			want := x.text
			for i, line := range strings.Split(src, "\n") {
				if strings.HasSuffix(line, "// W") {
					want = strings.ReplaceAll(want, "line W", fmt.Sprintf("line %d", i+1))
				}
			}
			if !strings.HasSuffix(f.Message, want) {
				t.Errorf("line %d: %s\nwant %s", f.Pos.Line, f.Message, want)
			}
			for seed := range uint64(6) {
				if x.sound == "" {
					break
				}
				if _, err := run(x.sound, seed); err != nil {
					t.Errorf("as it should be, order %d: %v", seed, err)
				}
			}
		})
	}
}

// TestWgmmaGoesOn checks that mistakes with registers of wgmma give one finding for each missing wait or fence, and
// that the kernel runs to its end.
func TestWgmmaGoesOn(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, body string
		want       string
	}{
		{"sound", product + commits + waits(0) + used, ""},
		{"no wait", product + commits + used + "add.f32 %f1, %f1, %f2;\n" + "add.f32 %f3, %f3, %f4;\n", "wgmma-registers 4"},
		{"no wait, twice", product + commits + used + product + commits + used, "wgmma-registers 4, wgmma-registers 4"},
		{"no wait in a loop", "L:\nwgmma.fence.sync.aligned;\n" + product + commits + used + "add.u32 %r11, %r11, 1;\nsetp.lt.u32 %q2, %r11, 3;\n@%q2 bra L;\n", "wgmma-registers 12"},
		{"a write", product + commits + "mov.f32 %f2, 0f3f800000;\n" + waits(0) + used, "wgmma-registers 4"},
		{"no fence", product + commits + waits(0) + "add.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f3, %f2;\n" + product + commits + waits(0) + used, "wgmma-registers 4"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			k := trial{block: 128, body: multiplies + x.body + "OTHER:\n"}
			res, _, _ := k.launch(t, loadText(t, k.source()), sim.Launch{Findings: 50})
			var got []string
			for _, f := range res.Findings {
				got = append(got, fmt.Sprintf("%s %d", f.Kind, f.Count))
			}
			if text := strings.Join(got, ", "); text != x.want || !res.Ended {
				t.Errorf("found %q, want %q; ended %v, %v", text, x.want, res.Ended, res.Findings)
			}
			res, _, err := k.launch(t, loadText(t, k.source()), sim.Launch{Ignore: []sim.Ignore{{Kind: sim.KindWgmma}}})
			if err != nil || !res.Ended || len(res.Ignored) != len(got) {
				t.Errorf("passed over %v, ended %v: %v", res.Ignored, res.Ended, err)
			}
		})
	}
}

// TestWgmmaBounded checks that wgmma without waits use bounded memory, and that accesses to their operands are still
// found.
func TestWgmmaBounded(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	loop := func(rounds int, end string) trial {
		return trial{block: 128, body: multiplies + "LOOP:\n" + strings.TrimSuffix(product, " // M\n") + commits + "add.u32 %r11, %r11, 1;\n" +
			fmt.Sprintf("setp.lt.u32 %%q2, %%r11, %d;\n@%%q2 bra LOOP;\n%sOTHER:\n", rounds, end)}
	}
	kept := func(rounds int) int64 {
		k := loop(rounds, waits(0)+used)
		p := loadText(t, k.source())
		most, now := int64(0), int64(0)
		_, _, err := k.launch(t, p, sim.Launch{Keep: func(n int64) error {
			now += n
			most = max(most, now)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return most
	}
	if a, b := kept(1500), kept(3000); b > a+a/4 {
		t.Errorf("1500 wgmma without a wait keep %d bytes, 3000 keep %d", a, b)
	}
	k := loop(1500, "st.shared.u32 [%st], %t; //!\n")
	_, err := k.run(t, loadText(t, k.source()), 0)
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindWritePending && f.Kind != sim.KindRace {
		t.Errorf("written without a wait: %v", err)
	}
}
