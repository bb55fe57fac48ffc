package gemms

import (
	"cmp"
	"context"
	_ "embed" // embeds the script
	"flag"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/peers"
	"girih/internal/file"
	"girih/internal/terminal"
	"girih/kernel"
	plans "girih/kernel/gemm"
)

// This file is girih-gpu bench gemm: it times planned products and cuBLAS in turn.

//go:embed peers.py
var peersScript string

// BenchHelp is the help of the command.
const BenchHelp = `
Times the products that girih plans, in turn with cuBLAS as PyTorch calls it, both as CUDA graphs: the ratio is the median
of the ratios of the rounds. A sample of each product is compared with float64.

  girih-gpu bench gemm
  girih-gpu bench gemm --only '*x512*' --rounds 31

  --only PATTERN      only cases whose names match, * for anything
  --rounds N          rounds for each case, default 15
  --python FILE       the Python, default python3; "" for none
  --markdown FILE     write the table of docs/performance.md
  --json              print one object a line
  --device N          the card, from 0

Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A benchCase is a product of the table.
type benchCase struct {
	m, n, k  int64
	in, out  dtype.Type
	acrossA  bool // M is contiguous in A
	acrossB  bool // N is contiguous in B
	gelu     bool // an epilogue of a bias and GELU
	residual bool // an epilogue that adds a matrix
}

// benchCases are squares, flat and long ones, extents that divide nothing, the other majors, epilogues, and fp8, whose
// sums are promoted by both.
var benchCases = []benchCase{
	{m: 2048, n: 2048, k: 2048},
	{m: 4096, n: 4096, k: 4096},
	{m: 8192, n: 8192, k: 8192},
	{m: 4096, n: 4096, k: 4096, in: dtype.BF16},
	{m: 4096, n: 4096, k: 4096, out: dtype.F32},
	{m: 4096, n: 4096, k: 512},
	{m: 8192, n: 28672, k: 4096},
	{m: 5120, n: 1280, k: 2560},
	{m: 512, n: 512, k: 8192},
	{m: 256, n: 256, k: 16384},
	{m: 1024, n: 1024, k: 1024},
	{m: 128, n: 8192, k: 8192},
	{m: 64, n: 8192, k: 8192},
	{m: 16, n: 8192, k: 8192},
	{m: 1, n: 8192, k: 8192},
	{m: 4095, n: 4097, k: 4096},
	{m: 4096, n: 4096, k: 4096, acrossA: true, acrossB: true},
	{m: 4096, n: 4096, k: 4096, acrossB: true},
	{m: 4096, n: 4096, k: 4096, gelu: true},
	{m: 4096, n: 4096, k: 512, gelu: true},
	{m: 4096, n: 4096, k: 4096, residual: true},
	{m: 4096, n: 4096, k: 512, residual: true},
	{m: 4096, n: 4096, k: 4096, in: dtype.E4M3, out: dtype.BF16},
	{m: 8192, n: 8192, k: 8192, in: dtype.E4M3, out: dtype.BF16},
}

func (x *benchCase) name() string {
	in, out := cmp.Or(x.in, dtype.F16), cmp.Or(x.out, x.in, dtype.F16)
	s := fmt.Sprintf("%dx%dx%d %v", x.m, x.n, x.k, in)
	if out != in {
		s += fmt.Sprintf(" to %v", out)
	}
	for _, y := range []struct {
		has  bool
		text string
	}{{x.acrossA, "A along M"}, {x.acrossB, "B along N"}, {x.gelu, "bias and GELU"}, {x.residual, "residual"}} {
		if y.has {
			s += ", " + y.text
		}
	}
	return s
}

// problem returns the problem of a case, and what its epilogue computes.
func (x *benchCase) problem(bias, residual *series) (p plans.Problem, finish finisher) {
	matrix := func(rows, columns int64, across bool) cute.Layout {
		if across {
			return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", rows, columns, rows))
		}
		return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, columns, columns))
	}
	p = plans.Problem{
		M: x.m, N: x.n, K: x.k, In: cmp.Or(x.in, dtype.F16), Out: cmp.Or(x.out, x.in, dtype.F16),
		A: matrix(x.m, x.k, x.acrossA), B: matrix(x.n, x.k, x.acrossB), D: matrix(x.m, x.n, false),
	}
	switch {
	case x.gelu:
		p.Epilogue.Inputs = []plans.Input{{Name: "bias", Type: dtype.F32, Modes: "n"}}
		p.Epilogue.Make = gelu
		finish = func(sum float64, _, j int64) float64 {
			y := sum + bias.at(j)
			return y / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(y+0.044715*y*y*y)))
		}
	case x.residual:
		p.Epilogue.Inputs = []plans.Input{{Name: "more", Type: p.In, Modes: "mn"}}
		p.Epilogue.Make = func(*kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
			return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
				return acc.Add(in["more"])
			}
		}
		finish = func(sum float64, i, j int64) float64 { return sum + residual.at(i*x.n+j) }
	}
	return p, finish
}

// gelu returns the epilogue y/2·(1 + tanh(√(2/π)·(y + 0.044715·y³))) of y, the sum with its bias.
func gelu(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
	number := func(x float64) kernel.Value { return k.Number(dtype.F32, x) }
	root := math.Sqrt(2 / math.Pi)
	return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
		y := acc.Add(in["bias"])
		half := y.Mul(number(0.5))
		return half.FMA(y.Mul(y).FMA(number(0.044715*root), number(root)).Mul(y).Tanh(), half)
	}
}

// A benchRow is the result of a case.
type benchRow struct {
	Name      string       `json:"name"`
	Card      string       `json:"card"`
	Choice    plans.Choice `json:"choice"`
	Seconds   float64      `json:"seconds"`   // the median
	Predicted float64      `json:"predicted"` // seconds
	TFLOPS    float64      `json:"tflops"`
	Peer      float64      `json:"cublas_seconds,omitempty"` // the median
	Ratio     float64      `json:"of_cublas,omitempty"`      // the median of the rounds: above 1 girih is faster
	PeerError string       `json:"cublas_error,omitempty"`
	Registers int          `json:"registers"`
	Spilled   int          `json:"spilled_bytes"`
	Wrong     int          `json:"wrong"` // elements of a sample
}

// A gemmBench has the arguments and the card.
type gemmBench struct {
	only, python, markdown string
	rounds, device         int
	json                   bool
	d                      *gpu.Device
	card                   plans.Card
	peers                  *peers.Python // nil for none
}

// RunBench runs girih-gpu bench gemm.
func RunBench(ctx context.Context, c *command.Call) error {
	b := gemmBench{}
	_, err := c.Flags(1, func(fs *flag.FlagSet) {
		fs.StringVar(&b.only, "only", "*", "")
		fs.StringVar(&b.python, "python", "python3", "")
		fs.StringVar(&b.markdown, "markdown", "", "")
		fs.IntVar(&b.rounds, "rounds", 15, "")
		fs.IntVar(&b.device, "device", 0, "")
		fs.BoolVar(&b.json, "json", false, "")
	})
	switch {
	case err != nil:
		return err
	case b.rounds < 1:
		return command.UsageError(fmt.Sprintf("--rounds is 1 at least, found %d", b.rounds))
	}
	var cases []benchCase
	for _, x := range benchCases {
		if ok, err := path.Match(b.only, x.name()); err != nil {
			return command.UsageError(fmt.Sprintf("%q is not a pattern of names", b.only))
		} else if ok {
			cases = append(cases, x)
		}
	}
	if len(cases) == 0 {
		return command.UsageError(fmt.Sprintf("no case has a name that matches %q", b.only))
	}
	if b.d, err = c.Open(b.device); err != nil {
		return err
	}
	defer b.d.Close()
	if b.card, err = b.d.GemmCard(); err != nil {
		return err
	}
	if b.python != "" {
		if b.peers, err = peers.Start(ctx, b.python, "cuBLAS", peersScript); err != nil {
			fmt.Fprintf(c.Stderr, "no peers: %v\n", err)
		} else {
			defer b.peers.Close()
		}
	}
	return b.all(ctx, c, cases)
}

// all times the cases and prints the table.
func (b *gemmBench) all(ctx context.Context, c *command.Call, cases []benchCase) error {
	var rows []benchRow
	wrong := false
	for i := range cases {
		row, err := b.one(ctx, &cases[i])
		if err != nil {
			fmt.Fprintf(c.Stderr, "%s: %v\n", cases[i].name(), err)
			wrong = true
			continue
		}
		wrong = wrong || row.Wrong > 0
		if rows = append(rows, *row); b.json {
			if err := encode(c.Stdout, row); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(c.Stderr, "%d of %d\n", i+1, len(cases))
	}
	text := benchTable(rows)
	if b.markdown != "" {
		if err := file.Replace(b.markdown, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !b.json {
		fmt.Fprint(c.Stdout, text)
	}
	if wrong {
		return command.ErrFailed
	}
	return nil
}

// one plans, checks and times a case.
func (b *gemmBench) one(ctx context.Context, x *benchCase) (*benchRow, error) {
	bias, err := newSeries(dtype.F32, 4)
	if err != nil {
		return nil, err
	}
	residual, err := newSeries(cmp.Or(x.in, dtype.F16), 5)
	if err != nil {
		return nil, err
	}
	problem, finish := x.problem(&bias, &residual)
	p, err := plans.New(problem, b.card, plans.Options{})
	if err != nil {
		return nil, err
	}
	y, err := newContest(ctx, b.d, p.Problem(), finish)
	if err != nil {
		return nil, err
	}
	defer y.close()
	for _, in := range problem.Epilogue.Inputs {
		l, s := cute.MustParse(fmt.Sprintf("%d:1", x.n)), &bias
		if in.Modes == "mn" {
			l, s = problem.D, &residual
		}
		if err := y.operand(ctx, in.Name, s, l); err != nil {
			return nil, err
		}
	}
	z := &contestant{plan: p}
	if z.g, err = b.d.LoadGemm(p); err != nil {
		return nil, err
	}
	defer z.g.Close()
	if y.enter(ctx, z); z.err != nil {
		return nil, z.err
	}
	row := &benchRow{
		Name: x.name(), Card: b.card.Name, Choice: p.Choice(), Predicted: p.Prediction().Seconds, Wrong: z.wrong,
	}
	res := z.g.Resources()
	row.Registers, row.Spilled = res.Registers, res.Local
	peer := rival{python: b.peers}
	peer.ask(x.question(&y.problem))
	err = row.time(b.rounds, &peer, func() (float64, error) {
		t, err := y.time(ctx, gpu.TimeOptions{Rounds: 1}, []*contestant{z})
		if err != nil {
			return 0, err
		}
		return t[0].Median().Seconds(), nil
	})
	row.TFLOPS = 2 * float64(x.m) * float64(x.n) * float64(x.k) / row.Seconds / 1e12
	return row, err
}

// time measures a kernel and its rival in turn.
func (o *benchRow) time(rounds int, peer *rival, once func() (float64, error)) error {
	var own, others, ratios []float64
	for range rounds {
		t, err := once()
		if err != nil {
			return err
		}
		own = append(own, t)
		if seconds := peer.ask(map[string]any{"do": "round"}); seconds > 0 {
			others, ratios = append(others, seconds), append(ratios, seconds/t)
		}
	}
	if o.Seconds, o.PeerError = middle(own), peer.err; peer.err == "" && len(others) > 0 {
		o.Peer, o.Ratio = middle(others), middle(ratios)
	}
	return nil
}

// question is a case as the script reads it.
func (x *benchCase) question(p *plans.Problem) map[string]any {
	return map[string]any{
		"do": "case", "m": x.m, "n": x.n, "k": x.k, "in": p.In.String(), "out": p.Out.String(), "across_a": x.acrossA,
		"across_b": x.acrossB, "gelu": x.gelu, "residual": x.residual,
	}
}

// A rival is cuBLAS in another process.
type rival struct {
	python *peers.Python // nil for none
	err    string        // after it no question is asked
}

// ask returns the seconds of the answer, or 0.
func (r *rival) ask(question map[string]any) float64 {
	var answer struct {
		Seconds float64
		Error   string
	}
	if r.python == nil || r.err != "" {
		return 0
	}
	if err := r.python.Ask(question, &answer); err != nil {
		answer.Error = err.Error()
	}
	r.err = answer.Error
	return answer.Seconds
}

// middle returns the median.
func middle(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[len(sorted)/2]
}

// benchTable is the table of docs/performance.md.
func benchTable(rows []benchRow) string {
	var s strings.Builder
	s.WriteString("| product | us | TFLOP/s | cuBLAS us | of cuBLAS | predicted us | configuration |\n|--|--|--|--|--|--|--|\n")
	for _, o := range rows {
		peer, ratio := cmp.Or(terminal.Clean(o.PeerError), "-"), "-"
		if o.Peer > 0 {
			peer, ratio = fmt.Sprintf("%.4g", o.Peer*1e6), fmt.Sprintf("%.2f", o.Ratio)
		}
		note := ""
		if o.Wrong > 0 {
			note = ": WRONG"
		}
		if o.Spilled > 0 {
			note += fmt.Sprintf(", %d bytes spilled", o.Spilled)
		}
		fmt.Fprintf(&s, "| %s%s | %.4g | %.0f | %s | %s | %.4g | %s |\n", o.Name, note, o.Seconds*1e6, o.TFLOPS, peer, ratio,
			o.Predicted*1e6, choiceText(o.Choice))
	}
	return s.String()
}
