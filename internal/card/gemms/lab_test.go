package gemms

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/kernel"
	plans "girih/kernel/gemm"
)

// This file measures what the model of package kernel/gemm is fitted to. TestLab does nothing without a folder in
// GIRIH_LAB; there it leaves lab.jsonl, a line for each configuration of each problem, epilogues.jsonl, and the PTX of
// kernels whose registers the model counts.

// A labProblem is a problem of the lab, with what JSON can say of it.
type labProblem struct {
	M, N, K        int64
	L              int64  `json:",omitempty"`
	In, Out        string `json:",omitempty"` // f16 if empty; as the planner chooses if empty
	LdA, LdB, LdD  int64  `json:",omitempty"` // leading dimensions; 0 for compact rows
	AlongM, AlongN bool   `json:",omitempty"` // the other modes of A and B are contiguous
	Fast           bool   `json:",omitempty"`
	Scale          string `json:",omitempty"`
	Groups         int64  `json:",omitempty"` // of as many rows, one more or less
}

// labProblems are the shapes that the model is fitted to and tested on.
var labProblems = []labProblem{
	{M: 4096, N: 4096, K: 4096},
	{M: 8192, N: 8192, K: 8192},
	{M: 8192, N: 28672, K: 4096},
	{M: 4095, N: 4097, K: 4096},
	{M: 1024, N: 1024, K: 1024},
	{M: 2048, N: 2048, K: 2048},
	{M: 4096, N: 4096, K: 512},
	{M: 5120, N: 1280, K: 2560},
	{M: 512, N: 512, K: 8192},
	{M: 128, N: 8192, K: 8192},
	{M: 16, N: 8192, K: 8192},
	{M: 1, N: 8192, K: 8192},
	{M: 64, N: 8192, K: 8192},
	{M: 256, N: 256, K: 16384},
	{M: 1000, N: 1000, K: 1000},
	{M: 999, N: 1001, K: 997},
	{M: 2049, N: 2051, K: 2053},
	{M: 3000, N: 500, K: 1504},
	{M: 1536, N: 3072, K: 768},
	{M: 768, N: 768, K: 768},
	{M: 6144, N: 2304, K: 1024},
	{M: 2304, N: 6144, K: 4608},
	{M: 384, N: 12288, K: 1536},
	{M: 12288, N: 384, K: 1536},
	{M: 3584, N: 1792, K: 7168},
	{M: 200, N: 5000, K: 3000},
	{M: 32, N: 4096, K: 14336},
	{M: 4096, N: 24, K: 4096},
	{M: 320, N: 640, K: 2880},
	{M: 7000, N: 7000, K: 72},
	{M: 640, N: 640, K: 640},
	{M: 1280, N: 8192, K: 1280},
	{M: 96, N: 96, K: 32768},
	{M: 2560, N: 2560, K: 10240},
	{M: 1792, N: 1792, K: 1792},
	{M: 4608, N: 4608, K: 256},
	{M: 300, N: 300, K: 300},
	{M: 1024, N: 4096, K: 16384},
	{M: 8192, N: 1024, K: 8192},
	{M: 4096, N: 4096, K: 4096, In: "bf16", Out: "f32"},
	{M: 3072, N: 3072, K: 3072, AlongM: true, AlongN: true},
	{M: 2880, N: 2880, K: 2880, AlongN: true},
	{M: 2048, N: 2048, K: 2048, LdA: 2056, LdB: 2056},
	{M: 4096, N: 4096, K: 4096, In: "e4m3"},
	{M: 4096, N: 4096, K: 4096, In: "e4m3", Fast: true},
	{M: 2048, N: 4096, K: 2048, In: "tf32"},
	{M: 1024, N: 2048, K: 4096, In: "s8"},
	{M: 256, N: 512, K: 1024, L: 16},
	{M: 3001, N: 3003, K: 3000},
	{M: 8192, N: 8192, K: 8192, In: "e4m3", Scale: "blocks"},
	{M: 16384, N: 4096, K: 2048, In: "bf16", Groups: 64},
	{M: 8192, N: 2048, K: 4096, In: "bf16", Groups: 8},
}

// problem returns the problem for the planner.
func (x labProblem) problem() (p plans.Problem, err error) {
	p = plans.Problem{M: x.M, N: x.N, K: x.K, L: x.L, Groups: x.Groups, Fast: x.Fast, Scale: plans.Scale(x.Scale)}
	if p.In, err = dtype.Parse(cmp.Or(x.In, "f16")); err != nil {
		return p, err
	}
	if x.Out != "" {
		if p.Out, err = dtype.Parse(x.Out); err != nil {
			return p, err
		}
	}
	layout := func(rows, columns, ld int64, across bool) (l cute.Layout) {
		switch {
		case across:
			return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", rows, columns, cmp.Or(ld, rows)))
		case ld > 0:
			return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, columns, ld))
		}
		return l
	}
	p.A, p.B, p.D = layout(x.M, x.K, x.LdA, x.AlongM), layout(x.N, x.K, x.LdB, x.AlongN), layout(x.M, x.N, x.LdD, false)
	return p, nil
}

// factors are the factors of A and B.
var factors = []string{"SA", "SB"}

// A labRow is a configuration that was measured.
type labRow struct {
	Problem labProblem       `json:"problem"`
	Predict plans.Prediction `json:"prediction"`
	tuneRow
}

// A lab is the card, and where the results go.
type lab struct {
	t        *testing.T
	d        *gpu.Device
	card     plans.Card
	dir      string
	deadline time.Time
	out      io.Writer
}

// TestLab measures.
func TestLab(t *testing.T) {
	dir := os.Getenv("GIRIH_LAB")
	if dir == "" {
		t.Skip("GIRIH_LAB is not set")
	}
	seconds, err := time.ParseDuration(cmp.Or(os.Getenv("GIRIH_LAB_TIME"), "3m"))
	if err != nil {
		t.Fatal(err)
	}
	l := lab{t: t, dir: dir, deadline: time.Now().Add(seconds)}
	if ptx := os.Getenv("GIRIH_LAB_PTX"); ptx != "" {
		l.writePTX(ptx)
		return
	}
	if l.d, err = gpu.Open(0); err != nil {
		t.Skip(err)
	}
	defer l.d.Close()
	if l.card, err = l.d.GemmCard(); err != nil {
		t.Fatal(err)
	}
	l.bench()
	if os.Getenv("GIRIH_LAB_MORE") != "" {
		l.commands()
		l.epilogues()
	}
	l.problems()
}

// labCommands are products of girih-gpu gemm that are compared with float64, element by element.
var labCommands = []string{
	"--type f16 --type-b u4 --scale groups -m 16 -n 8192 -k 8192", "--type f16 --type-b u4 --scale groups -m 1 -n 8192 -k 8192",
	"--type bf16 --type-b u4 --scale groups -m 100 -n 4000 -k 4096", "--type f16 --type-b u4 --scale groups -m 1024 -n 4096 -k 4096",
	"--type bf16 --groups 8 -m 4096 -n 2048 -k 2048", "--type f16 --groups 70 -m 3000 -n 1000 -k 520",
	"--type e4m3 --groups 33 -m 3000 -n 1000 -k 520", "--type f16 --alpha -2 --beta 0.5 --c f16 -m 1000 -n 999 -k 500",
	"--type e4m3 --scale rows -m 1000 -n 999 -k 500 -l 2", "--type f16 -m 1001 -n 1003 -k 1000",
	"--type tf32 --scale tensors --c f32 -m 500 -n 520 -k 510",
}

// commands runs the products of girih-gpu gemm.
func (l *lab) commands() {
	f := l.create("commands.jsonl")
	defer f.Close()
	for _, args := range labCommands {
		c := &command.Call{Args: strings.Fields(args + " --json"), Stdout: f, Stderr: os.Stderr, Open: gpu.Open}
		if err := runGemm(l.t.Context(), c); err != nil {
			l.t.Errorf("%s: %v", args, err)
		}
	}
}

// bench times products in turn with cuBLAS.
func (l *lab) bench() {
	f := l.create("bench.jsonl")
	defer f.Close()
	for _, only := range strings.Fields(os.Getenv("GIRIH_LAB_BENCH")) {
		err := RunBench(l.t.Context(), &command.Call{
			Args: []string{"gemm", "--json", "--rounds", "7", "--only", only}, Stdout: f, Stderr: os.Stderr, Open: gpu.Open,
		})
		if err != nil {
			l.t.Error(err)
		}
	}
}

// create opens a file of the folder.
func (l *lab) create(name string) *os.File {
	f, err := os.Create(filepath.Join(l.dir, name))
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

// ptxProblems are the problems whose kernels ptxas reads, by card: of mma.sync, with promoted sums, with rows that
// cp.async cannot read, and with groups.
var ptxProblems = map[string][]plans.Problem{
	"a100": {
		{M: 4096, N: 4096, K: 4096, In: dtype.F16},
		{M: 4095, N: 4097, K: 4099, In: dtype.BF16},
		{M: 4098, N: 4098, K: 4098, In: dtype.F16, Out: dtype.F32},
		{M: 4096, N: 4096, K: 4096, In: dtype.TF32},
		{M: 4095, N: 4097, K: 4099, In: dtype.S8},
	},
	"rtx4090": {
		{M: 4096, N: 4096, K: 4096, In: dtype.E4M3, Fast: true},
		{M: 4095, N: 4097, K: 4099, In: dtype.E5M2, Fast: true},
	},
	"h200": {
		{M: 4096, N: 4096, K: 4096, In: dtype.E4M3},
		{M: 4096, N: 4096, K: 4096, In: dtype.E4M3, Scale: plans.ScaleBlocks},
		{M: 4095, N: 4097, K: 4096, In: dtype.E4M3, Out: dtype.F32},
		{M: 4095, N: 4097, K: 4099, In: dtype.F16},
		{M: 4096, N: 4096, K: 4096, In: dtype.BF16, Groups: 8},
	},
}

// writePTX writes the kernels of all configurations of ptxProblems.
func (l *lab) writePTX(dir string) {
	for name, problems := range ptxProblems {
		card, err := plans.FindCard(name)
		if err != nil {
			l.t.Fatal(err)
		}
		for i, p := range problems {
			first, err := plans.New(p, card, plans.Options{})
			if err != nil {
				l.t.Error(err)
				continue
			}
			for j, x := range append([]*plans.Plan{first}, first.Next(400)...) {
				k, err := x.Kernel()
				if err != nil {
					l.t.Error(err)
					continue
				}
				c := x.Choice()
				text, err := json.Marshal(map[string]any{"problem": i, "choice": c, "warps": c.Warps})
				if err != nil {
					l.t.Fatal(err)
				}
				file := fmt.Sprintf("%s_%d_%03d", card.Arch, i, j)
				l.save(dir, file+".ptx", k.Module.String())
				l.save(dir, file+".json", string(text))
			}
		}
	}
}

func (l *lab) save(dir, name, text string) {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// spread returns the plans that are expected to be fastest, and the best ones of the other tiles, roles, clusters and
// splits.
func spread(first *plans.Plan, best, others int) (out []*plans.Plan) {
	limit := 2.5 * first.Prediction().Seconds
	seen := map[string]bool{}
	for i, p := range append([]*plans.Plan{first}, first.Next(1000)...) {
		c := p.Choice()
		kind := fmt.Sprint(c.Tile[:2], c.PingPong, c.Warpgroups, c.Cluster, min(c.Split, 3), c.MMA == "")
		switch {
		case i >= best && (seen[kind] || others == 0 || p.Prediction().Seconds > limit):
			continue
		case i >= best:
			others--
		}
		seen[kind] = true
		out = append(out, p)
	}
	return out
}

// compile fills the cache with the kernels of all plans.
func (l *lab) compile(all []*plans.Plan) {
	var wait sync.WaitGroup
	var lock sync.Mutex
	seen := map[string]bool{}
	todo := make(chan *plans.Plan)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for p := range todo {
				k, err := p.Kernel()
				if err != nil {
					continue // the race reports it
				}
				text := k.Module.String()
				lock.Lock()
				before := seen[text]
				seen[text] = true
				lock.Unlock()
				if before {
					continue
				}
				if m, err := l.d.Load(k.Module); err == nil {
					_ = m.Close()
				}
			}
		})
	}
	for _, p := range all {
		todo <- p
	}
	close(todo)
	wait.Wait()
	l.t.Logf("%d plans, %d kernels", len(all), len(seen))
}

// problems times the configurations of all problems.
func (l *lab) problems() {
	f := l.create("lab.jsonl")
	defer f.Close()
	l.out = f
	var flat []*plans.Plan
	list := labProblems
	if only := os.Getenv("GIRIH_LAB_ONLY"); only != "" { // a number: other problems
		n, err := strconv.Atoi(only)
		if err != nil {
			l.t.Fatal(err)
		}
		list = drawProblems(n)
	}
	all := make([][]*plans.Plan, len(list))
	for i, x := range list {
		p, err := x.problem()
		if err != nil {
			l.t.Fatal(err)
		}
		first, err := plans.New(p, l.card, plans.Options{})
		if err != nil {
			l.t.Errorf("%+v: %v", x, err)
			continue
		}
		all[i] = spread(first, 8, 14)
		flat = append(flat, all[i]...)
	}
	begin := time.Now()
	l.compile(flat)
	l.t.Logf("compiled in %v", time.Since(begin))
	for i, x := range list {
		if time.Now().After(l.deadline) {
			l.t.Logf("no time for %d problems", len(list)-i)
			return
		}
		if len(all[i]) > 0 {
			l.problem(x, all[i])
		}
	}
}

// drawProblems draws problems that the model is not fitted to.
func drawProblems(n int) (out []labProblem) {
	r := rand.New(rand.NewPCG(2026, uint64(n)))
	extent := func(most float64) int64 {
		x := int64(math.Exp2(4 + math.Sqrt(r.Float64())*(most-4)))
		if r.IntN(5) > 0 {
			x = max(x/8*8, 8)
		}
		return x
	}
	for range n {
		x := labProblem{M: extent(13), N: extent(13.5), K: extent(13.5), AlongM: r.IntN(8) == 0, AlongN: r.IntN(6) == 0}
		x.In = []string{"", "", "bf16"}[r.IntN(3)]
		x.Out = []string{"", "", "", "f32"}[r.IntN(4)]
		out = append(out, x)
	}
	return out
}

// problem times the configurations of a problem.
func (l *lab) problem(x labProblem, all []*plans.Plan) {
	ctx, begin := context.Background(), time.Now()
	y, err := newContest(ctx, l.d, all[0].Problem(), nil)
	if err != nil {
		l.t.Errorf("%+v: %v", x, err)
		return
	}
	defer y.close()
	if x.Scale != "" { // the sample knows no factors
		y.sample = nil
		ones := series{seed: 6, typ: dtype.F32, codes: slices.Repeat([]uint64{0x3f800000}, 1<<12)}
		for _, name := range factors {
			if err := y.operand(ctx, name, &ones, cute.MustParse("1048576:1")); err != nil {
				l.t.Error(err)
				return
			}
		}
	}
	if x.Groups > 0 {
		y.sample = nil
		b, err := gpu.Alloc[uint8](l.d, int(4*x.Groups))
		if err == nil {
			var bytes []byte
			for i := range x.Groups {
				bytes = binary.LittleEndian.AppendUint32(bytes, uint32(x.M/x.Groups+i%2*2-1))
			}
			err = b.Write(ctx, bytes)
		}
		if err != nil {
			l.t.Error(err)
			return
		}
		y.buffers, y.args["sizes"] = append(y.buffers, b), b
	}
	ready := compileAll(ctx, io.Discard, l.d, all)
	defer func() {
		for _, z := range ready {
			_ = z.close()
		}
	}()
	o := &tuneOutcome{}
	if err := o.race(ctx, io.Discard, y, ready); err != nil {
		l.t.Errorf("%+v: %v", x, err)
	}
	for _, row := range o.Rows {
		if err := encode(l.out, labRow{x, all[row.Rank].Prediction(), row}); err != nil {
			l.t.Error(err)
		}
	}
	l.t.Logf("%+v: %d in %v", x, len(all), time.Since(begin))
}

// labEpilogues are epilogues that show what their parts cost.
var labEpilogues = []struct {
	name   string
	inputs []plans.Input
	gelu   bool
	f      func(k *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value
}{
	{name: "plain"},
	{name: "times two", f: func(k *kernel.K, acc kernel.Value, _ map[string]kernel.Value) kernel.Value {
		return acc.Mul(k.Number(dtype.F32, 2))
	}},
	{name: "gelu without bias", gelu: true},
	{
		name: "bias", inputs: []plans.Input{{Name: "bias", Type: dtype.F32, Modes: "n"}},
		f: func(_ *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value {
			return acc.Add(in["bias"])
		},
	},
	{
		name: "bias of f16", inputs: []plans.Input{{Name: "bias", Type: dtype.F16, Modes: "n"}},
		f: func(_ *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value {
			return acc.Add(in["bias"])
		},
	},
	{name: "bias and gelu", inputs: []plans.Input{{Name: "bias", Type: dtype.F32, Modes: "n"}}, gelu: true},
	{
		name: "rows", inputs: []plans.Input{{Name: "rows", Type: dtype.F32, Modes: "m"}},
		f: func(_ *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value {
			return acc.Mul(in["rows"])
		},
	},
	{
		name: "residual", inputs: []plans.Input{{Name: "more", Type: dtype.F16, Modes: "mn"}},
		f: func(_ *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value {
			return acc.Add(in["more"])
		},
	},
	{
		name: "residual of f32", inputs: []plans.Input{{Name: "more", Type: dtype.F32, Modes: "mn"}},
		f: func(_ *kernel.K, acc kernel.Value, in map[string]kernel.Value) kernel.Value {
			return acc.Add(in["more"])
		},
	},
}

// epilogues times products with epilogues in turn with plain ones, for some tiles.
func (l *lab) epilogues() {
	f := l.create("epilogues.jsonl")
	defer f.Close()
	ctx, size := context.Background(), [3]int64{4096, 4096, 512}
	for _, o := range []plans.Options{
		{Tile: [3]int64{128, 128, 64}, Roles: "ping-pong", Cluster: 1, Split: 1},
		{Tile: [3]int64{64, 256, 64}, Roles: "ping-pong", Cluster: 1, Split: 1},
		{Tile: [3]int64{128, 256, 64}, Roles: "cooperative", Cluster: 1, Split: 1},
		{Tile: [3]int64{128, 128, 64}, Roles: "cooperative", Warpgroups: 2, Cluster: 1, Split: 1},
	} {
		var contestants []*contestant
		var y *contest
		var names []string
		for i := range labEpilogues {
			e := &labEpilogues[i]
			p := plans.Problem{M: size[0], N: size[1], K: size[2], In: dtype.F16}
			p.Epilogue.Inputs = e.inputs
			switch {
			case e.gelu && len(e.inputs) == 0:
				p.Epilogue.Make = func(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
					f := gelu(k)
					return func(acc kernel.Value, _ map[string]kernel.Value, at ...kernel.Index) kernel.Value {
						return f(acc, map[string]kernel.Value{"bias": k.Number(dtype.F32, 0)}, at...)
					}
				}
			case e.gelu:
				p.Epilogue.Make = gelu
			case e.f != nil:
				p.Epilogue.Make = func(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
					return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
						return e.f(k, acc, in)
					}
				}
			}
			plan, err := plans.New(p, l.card, o)
			if err != nil {
				l.t.Logf("%s, %+v: %v", e.name, o, err)
				continue
			}
			if y == nil {
				if y, err = newContest(ctx, l.d, plan.Problem(), nil); err != nil {
					l.t.Error(err)
					return
				}
				defer y.close()
				y.sample = nil // only times count here
			}
			z := &contestant{plan: plan}
			if z.g, err = l.d.LoadGemm(plan); err != nil {
				l.t.Error(err)
				continue
			}
			defer z.close()
			contestants, names = append(contestants, z), append(names, e.name)
		}
		if y == nil {
			continue
		}
		// bias, rows and more are read as f32 or f16 from the same memory.
		numbers, err := newSeries(dtype.F32, 4)
		if err == nil {
			for _, name := range []string{"bias", "rows", "more"} {
				err = cmp.Or(err, y.operand(ctx, name, &numbers, cute.MustParse("16777216:1")))
			}
		}
		if err != nil {
			l.t.Error(err)
			return
		}
		times, err := y.time(ctx, gpu.TimeOptions{Rounds: 9}, contestants)
		if err != nil {
			l.t.Error(err)
			continue
		}
		for i, z := range contestants {
			r := z.g.Resources()
			err := encode(f, map[string]any{
				"epilogue": names[i], "choice": z.plan.Choice(), "seconds": times[i].Median().Seconds(),
				"registers": r.Registers, "spilled": r.Local, "text": strings.TrimSpace(choiceText(z.plan.Choice())),
			})
			if err != nil {
				l.t.Error(err)
			}
		}
	}
}
