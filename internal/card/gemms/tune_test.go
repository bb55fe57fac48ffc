package gemms

import (
	"bytes"
	"context"
	"math"
	"os/exec"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/peers"
	"girih/internal/check/long"
	"girih/kernel"
	plans "girih/kernel/gemm"
)

// TestTuneArguments checks what is refused before a card is opened, and that a card is needed.
func TestTuneArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"sgemm_1 --tune -m 8 -n 8 -k 8", 2, "--type T without a name"},
		{"--type f16 --tune --simulate -m 8 -n 8 -k 8", 2, "on a card"},
		{"--type f16 --out f16 -m 8 -n 8 -k 8", 2, "--out and --most are options of --tune"},
		{"--type f16 --tune --most 201 -m 8 -n 8 -k 8", 2, "--most is from 1 to 200, found 201"},
		{"--type f16 --tune -m 8 -n 8 -k 8", 1, "times are measured on a card"},
	} {
		if code, stdout, stderr := gemmCall(t, noCard, strings.Fields(tt.args)...); code != tt.code ||
			!strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit code %d: %s%s", tt.args, code, stdout, stderr)
		}
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"gemm --rounds 0", 2, "--rounds is 1 at least"},
		{"gemm --only [", 2, "not a pattern"},
		{"gemm --only nothing", 2, "no case has a name that matches"},
		{"gemm copy", 2, "unknown argument"},
		{"gemm", 1, "no_driver"},
	} {
		var out, errs bytes.Buffer
		bench := command.Command{Name: "bench", Run: RunBench}
		code := command.Run(t.Context(), []command.Command{bench}, &command.Call{
			Args: append([]string{"bench"}, strings.Fields(tt.args)...), Stdout: &out, Stderr: &errs, Open: noCard,
		})
		if code != tt.code || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("bench %s: exit code %d: %s%s", tt.args, code, &out, &errs)
		}
	}
}

// TestTuneTable checks the finalists, the planner's choice among them, errors, and wrong results.
func TestTuneTable(t *testing.T) {
	t.Parallel()
	o := tuneOutcome{Size: [3]int64{512, 512, 8192}, In: "f16", Out: "f16", Card: "a card", Rows: []tuneRow{
		{Choice: plans.Choice{Tile: [3]int64{128, 64, 64}, Stages: 4, Split: 3}, Seconds: 10e-6, Final: true, Rank: 7},
		{Choice: plans.Choice{Tile: [3]int64{64, 64, 64}, Stages: 5}, Seconds: 12.5e-6, Final: true, Planned: true},
		{Choice: plans.Choice{Tile: [3]int64{64, 32, 64}}, Seconds: 9e-6, Wrong: 3, Rank: 1},
		{Choice: plans.Choice{Tile: [3]int64{64, 16, 64}}, Seconds: 20e-6, Rank: 2},
		{Choice: plans.Choice{Tile: [3]int64{64, 8, 64}}, Error: "gone", Rank: 3},
	}}
	var b bytes.Buffer
	if err := o.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"512x512x8192, f16 to f16, a card: 5 configurations", "128x64x64, 4 stages, K by 3\n",
		"64x64x64, 5 stages; the planner's choice", "WRONG: 3 elements", "64x8x64, 0 stages: gone",
		"the planner's choice takes 25.0 % longer than the best",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "64x16x64") {
		t.Errorf("a configuration that is right and slow is printed:\n%s", &b)
	}
}

// TestBenchCases plans all cases of the table, and prints them.
func TestBenchCases(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	s := kernel.Must(newSeries(dtype.F16, 1))
	var rows []benchRow
	for i := range benchCases {
		x := &benchCases[i]
		problem, _ := x.problem(&s, &s)
		p, err := plans.New(problem, plans.Cards()[0], plans.Options{})
		if err == nil {
			_, err = p.Kernel()
		}
		if err != nil {
			t.Fatalf("%s: %v", x.name(), err)
		}
		rows = append(rows, benchRow{Name: x.name(), Choice: p.Choice(), Seconds: 1e-3, Predicted: p.Prediction().Seconds})
	}
	rows[0].Peer, rows[0].Ratio, rows[1].Wrong, rows[1].PeerError = 2e-3, 2, 1, "gone"
	text := benchTable(rows)
	for _, want := range []string{
		"| 2048x2048x2048 f16 | 1000 | 0 | 2000 | 2.00 |", "4096x4096x4096 f16: WRONG | 1000 | 0 | gone | - |",
		"4096x4096x512 f16, bias and GELU", "f16 to f32", "A along M, B along N",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestContestSample compares the expected elements of a sample with sums over the operands.
func TestContestSample(t *testing.T) {
	t.Parallel()
	a, b := kernel.Must(newSeries(dtype.BF16, 1)), kernel.Must(newSeries(dtype.BF16, 2))
	x := contest{problem: plans.Problem{
		M: 3, N: 5, K: 7, A: cute.MustParse("(3,7):(1,8)"), B: cute.MustParse("(5,7):(9,1)"), D: cute.MustParse("(3,5):(6,1)"),
	}}
	x.choose(&a, &b, func(sum float64, i, j int64) float64 { return sum + float64(100*i+1000*j) })
	seen := map[int64]bool{}
	for _, s := range x.sample {
		i, j := s.at/6, s.at%6
		want := float64(100*i + 1000*j)
		for q := range int64(7) {
			want += a.at(i+8*q) * b.at(9*j+q)
		}
		if seen[s.at] = true; math.Abs(want-s.want) > 1e-9 || s.bound <= 0 {
			t.Errorf("D(%d,%d) is %v within %v, want %v", i, j, s.want, s.bound, want)
		}
	}
	if !seen[0] || !seen[4] || !seen[12] || !seen[16] {
		t.Errorf("corners are missing: %v", seen)
	}
}

// TestRival asks the script, which answers also without PyTorch or a card.
func TestRival(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	if d, err := gpu.Open(0); err == nil {
		_ = d.Close()
		t.Skip("there is a card")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	p, err := peers.Start(ctx, "python3", "cuBLAS", peersScript)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := rival{python: p}
	problem, _ := benchCases[0].problem(nil, nil)
	if s := r.ask(benchCases[0].question(&problem)); s != 0 || r.err == "" {
		t.Errorf("%v seconds, error %q", s, r.err)
	}
	if s := (&rival{}).ask(nil); s != 0 {
		t.Errorf("no Python: %v seconds", s)
	}
}
