package gemms

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/check/long"
	"girih/internal/machine/gemm"
	"girih/ptx"
)

const f16Atom = "SM80_16x8x16_F32F16F16F32_TN"

// gemmCall runs the command.
func gemmCall(t *testing.T, open func(int) (*gpu.Device, error), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = command.Run(t.Context(), []command.Command{Command}, &command.Call{
		Args: append([]string{"gemm"}, args...), Stdout: &out, Stderr: &errs, Open: open,
	})
	return code, out.String(), errs.String()
}

func noCard(int) (*gpu.Device, error) {
	return nil, &gpu.Error{Code: gpu.NoDriver, Message: "no CUDA driver: gone", Hint: "install it"}
}

func TestGemmArguments(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for _, tt := range []struct {
		args string
		code int
		want string // a text on stderr, or on stdout if the status is 0
	}{
		{"--help", 0, "Exit codes: 0 all is right"},
		{"", 2, "--atom NAME"},
		{"--atom " + f16Atom, 2, "-m is from 1 to 268435456, found 0"},
		{"--atom " + f16Atom + " -m 1 -n -3 -k 1", 2, "-n is from 1"},
		{"--atom " + f16Atom + " -m 1 -n 1 -k x", 2, "invalid value"},
		{"--atom " + f16Atom + " -m 65536 -n 1 -k 65536", 2, "65536 by 65536 elements is more than the 67108864"},
		{"--atom SM80_16x8x16_F32F16F16F32_T -m 1 -n 1 -k 1", 2, "did you mean " + f16Atom},
		{"SM80_16x8x16_F32F16F16F32_T -m 1 -n 1 -k 1", 2, "or one of the kernels sgemm_1, "},
		{"sgemm_sm80 --atom " + f16Atom + " --print", 2, "not both"},
		{"softmax --print", 2, "softmax does not multiply matrices: sgemm_1, "},
		{"sgemm_sm80 --print --atoms (2,2,1)", 2, "sgemm_sm80 has its own"},
		{"sgemm_sm80 --print --type f33", 2, "f33"},
		{"sgemm_sm80 --print --type f64", 2, "expected a type of [f16 bf16], found f64"},
		{"sgemm_sm80 --print --tile 100x100x100", 2, "100"},
		{"sgemm_1 --print --stages 3", 2, "no pipeline"},
		{"wgmma_tma_sm90 --simulate -m 3 -n 3 -k 3", 1, "k is 3"},
		{"--print --type f16 --atom " + f16Atom, 2, "--type, --sum and --stages are options of the kernels"},
		{"--atom " + f16Atom + " --print --tile 64x64", 2, "--tile needs three extents"},
		{"--atom " + f16Atom + " --print --tile 64x64x-32", 2, "--tile needs three extents"},
		{"--atom " + f16Atom + " --print --tile 64x64x20", 2, "16 along K, does not divide the tile of the kernel, 20"},
		{"--atom " + f16Atom + " --print --atoms (2,", 2, "syntax"},
		{"--atom " + f16Atom + " --print --atoms (2,2,1):(1,1,0)", 2, "same threads"},
		{"--atom " + f16Atom + " --print --atoms (1,1,2)", 1, "2 atoms along K"},
		{"--atom " + f16Atom + " --print --atoms (8,8,1)", 1, "2048"},
		{"--atom " + f16Atom + " --print --tile 512x512x128", 1, "a block has 232448"},
		{"--atom v_mfma_f32_32x32x8_f16 --print", 1, "an instruction of AMD (gfx942)"},
		{"--atom SM100_MMA_TF32_SS_128x256 --print", 1, "tensor memory"},
		{"--device 0 --atom " + f16Atom + " -m 1 -n 1 -k 1", 1, "error: no_driver: no CUDA driver: gone\nhint: install it"},
		{"--device 0 --simulate --atom " + f16Atom + " -m 1 -n 1 -k 1", 2, "--simulate needs no --device"},
		{"--atom " + f16Atom + " -m 4096 -n 4096 -k 4096", 1, "4096x4096x4096 are more than the 2147483648 products"},
		{"--atom " + f16Atom + " -m 1 -n 1 -k 1 --check some", 2, "--check is full or sample"},
		{"--atom " + f16Atom + " -m 1 -n 1 -k 1 -o x", 2, "-o is where --print writes"},
		{"--all -m 3", 2, "--all has kernels and sizes of its own"},
		{"--all sgemm_1", 2, "--all has kernels and sizes of its own"},
		{"--all --atom [", 2, "not a pattern"},
		{"--all --device 0", 1, "no_driver"},
		{"--all --atom SM120*", 2, "sm_90 has no instruction"},
		{
			"SM120_16x8x32_TN<float_e2m1_t,float_e2m1_t,float> -m 1 -n 1 -k 1", 1,
			"the simulator adds as sm_90 does: type: lower: sm_90 lacks",
		},
		{"--all --check sample", 2, "--all compares every element"},
		{"--atom " + f16Atom + " 7 8", 2, `unknown argument "8"`},
	} {
		code, stdout, stderr := gemmCall(t, noCard, strings.Fields(tt.args)...)
		text := stderr
		if tt.code == 0 {
			text = stdout
		}
		if code != tt.code || !strings.Contains(text, tt.want) || tt.code != 0 && stdout != "" {
			t.Errorf("%q: exit code %d, printed %q and %q, want %d and %q", tt.args, code, stdout, stderr, tt.code, tt.want)
		}
	}
}

// Without a card, kernels run in the simulator, and their memory traffic is as predicted.
func TestGemmSimulates(t *testing.T) {
	t.Parallel()
	all := []string{
		"--atom " + f16Atom + " -m 130 -n 67 -k 99", f16Atom + " -m 128 -n 64 -k 64",
		"--atom SM80_8x8x4_C64C64C64C64_TN -m 5 -n 6 -k 7", "SM80_SPARSE_16x8x64_S32S8U8S32_TN -m 33 -n 20 -k 100",
		"SM90_64x16x16_F16F16F16_SS<GMMA::Major::MN,GMMA::Major::MN> -m 70 -n 30 -k 40",
		"sgemm_1 -m 65 -n 70 -k 33", "sgemm_2 -m 50 -n 129 -k 9", "sgemm_sm70 --type f64 -m 129 -n 64 -k 16",
		"sgemm_sm80 -m 129 -n 64 -k 77", "sgemm_sm80 --sum f16 --stages 4 --tile 64x64x64 -m 128 -n 128 -k 128",
		"wgmma_sm90 --type bf16 -m 128 -n 72 -k 64", "wgmma_tma_sm90 -m 130 -n 70 -k 72", "wgmma_tma_cluster_sm90 -m 8 -n 8 -k 8",
	}
	if testing.Short() {
		all = all[:4]
	}
	for _, args := range all {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := gemmCall(t, noCard, append(strings.Fields(args), "--json")...)
			var o gemmOutcome
			if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 || !o.Right || len(o.Runs) != 2 ||
				o.Simulated == nil || o.Card != simulator || o.Runs[0].Exact != o.Runs[0].Elements || o.Runs[0].Elements == 0 {
				t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
			}
			if !strings.Contains(stderr, "in the simulator: no CUDA driver") {
				t.Errorf("stderr is %q", stderr)
			}
			var sum gemmStage
			for _, s := range o.Predicted {
				sum.Bytes, sum.Sectors, sum.Wavefronts = sum.Bytes+s.Bytes, sum.Sectors+s.Sectors, sum.Wavefronts+s.Wavefronts
			}
			moved := gemmStage{Bytes: o.Simulated.Bytes, Sectors: o.Simulated.Sectors, Wavefronts: o.Simulated.Wavefronts}
			if sum != moved || sum.Sectors == 0 {
				t.Errorf("predicted %+v, and moved %+v", sum, moved)
			}
		})
	}
	code, stdout, stderr := gemmCall(t, noCard, "--all", "--atom", "SM80_16x8x8_*", "--simulate")
	if code != 0 || strings.Count(stdout, " right") != 4 || !strings.Contains(stderr, "4 of 4 atoms on simulator, 0 not right") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	code, stdout, _ = gemmCall(t, noCard, "sgemm_sm80", "-m", "128", "-n", "8", "-k", "64")
	if code != 0 || !strings.HasPrefix(stdout, "sgemm_sm80  simulator\n") || !strings.Contains(stdout, "\nsimulated  all ") {
		t.Errorf("exit code %d: %s", code, stdout)
	}
}

// Plan counts blocks by classes. The counts are the same as when all blocks are visited.
func TestGemmPlans(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	r := &gemmRequest{atom: f16Atom}
	p, err := r.product("")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][3]int64{{300, 257, 64}, {64, 640, 32}, {640, 64, 32}, {333, 1001, 77}} {
		runner := newRunner(p, &gemmPlace{})
		l, err := runner.load(size)
		if err != nil {
			t.Fatal(err)
		}
		grid, err := l.traced.Grid(runner.ints(size))
		if err != nil {
			t.Fatal(err)
		}
		var blocks [][3]int64
		for i := range grid[0] * grid[1] {
			blocks = append(blocks, [3]int64{i % grid[0], i / grid[0], 0})
		}
		want, _, err := l.traced.PlanBlocks(runner.ints(size), blocks)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := l.traced.Plan(runner.ints(size))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %+v, want %+v", size, err, got, want)
		}
	}
}

func TestGemmPrints(t *testing.T) {
	t.Parallel()
	code, text, _ := gemmCall(t, noCard, "--atom", f16Atom, "--print")
	m, err := ptx.Parse(text)
	if code != 0 || err != nil || m.Func("gemm_"+f16Atom) == nil {
		t.Fatalf("exit code %d, %v: %.200s", code, err, text)
	}
	code, line, _ := gemmCall(t, noCard, "--atom", f16Atom, "--print", "--json")
	var p kernelText
	if err := json.Unmarshal([]byte(line), &p); err != nil || code != 0 || p.PTX != text ||
		p.Tile != [3]int64{64, 64, 32} || p.Block != 128 || p.Shared != 8192 || len(p.Grid) != 2 ||
		!slices.Equal(p.Params[:7], []string{"m", "n", "k", "lda", "ldb", "ldd", "beta"}) {
		t.Errorf("exit code %d, %v: %.200s", code, err, line)
	}
	code, text, _ = gemmCall(t, noCard, "sgemm_sm80", "-m", "128", "-n", "128", "-k", "64", "--explain")
	if code != 0 || !strings.Contains(text, "cp.async") || !strings.HasPrefix(text, "sgemm_sm80: 128 threads") {
		t.Errorf("exit code %d: %.300s", code, text)
	}
	var report struct{ Kernel string }
	code, line, _ = gemmCall(t, noCard, f16Atom, "--explain", "--json")
	if err := json.Unmarshal([]byte(line), &report); err != nil || code != 0 || report.Kernel != "gemm_"+f16Atom {
		t.Errorf("exit code %d, %v: %.300s", code, err, line)
	}
	// The first element of a vector is inside because the block exists; the second element may be outside.
	code, text, _ = gemmCall(t, noCard, "UniversalFMA<float,float,float,float>", "--atoms", "(1,1,1)", "--tile", "4x4x4", "--explain")
	if want := "may be inside in part: 4·block.y + 1 < n\n    state Div: 4 of n"; code != 0 || !strings.Contains(text, want) {
		t.Errorf("exit code %d, no %q in: %.600s", code, want, text)
	}
	_, text, _ = gemmCall(t, noCard, f16Atom, "--print")
	name := filepath.Join(t.TempDir(), "k.ptx")
	if code, out, stderr := gemmCall(t, noCard, "--atom", f16Atom, "--print", "-o", name); code != 0 || out != "" {
		t.Errorf("exit code %d, printed %q and %q", code, out, stderr)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != text {
		t.Errorf("%v: %.200s", err, got)
	}
	if code, _, stderr := gemmCall(t, noCard, "--atom", f16Atom, "--print", "-o", filepath.Join(name, "x")); code != 1 {
		t.Errorf("exit code %d for a file that cannot be written: %q", code, stderr)
	}
}

// The outcome reports the errors and the first wrong element.
func TestGemmOutcomes(t *testing.T) {
	t.Parallel()
	o := &gemmOutcome{
		Atom: f16Atom, Card: "a\x1b[31mcard", Size: [3]int64{3, 2, 1}, Tile: [3]int64{64, 64, 32},
		Threads: 128, Seconds: 1e-6, Registers: 9, Spilled: 8, Cached: true,
		Runs: []gemmCheck{
			{Numbers: "small integers, with C", Elements: 6, Exact: 6},
			{
				Numbers: "normal distribution", Elements: 6, Wrong: 2, Worst: 0.5, Bound: 0.25,
				First: &gemmBad{1, 0, "NaN", "2"}, Stray: true,
			},
		},
		Prediction: "no",
	}
	var out bytes.Buffer
	if err := o.write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"right ", "6 elements, 6 of them exact\n", "WRONG ",
		"worst error 0.5, bound 0.25; 2 wrong, first D(1,0) = NaN, not 2; bytes after D were written",
		"8 bytes spilled", "not predicted: no",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a control character was printed")
	}
	out.Reset()
	bad := failure("X", &gpu.Error{Code: gpu.Refused, Message: "no", Hint: "newer"})
	if err := gemmTable(&out, []*gemmOutcome{o, bad}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"WRONG", "not run", "X: refused: no\n", f16Atom + ": normal distribution: 6 elements"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	picked, n := sample(1000, 300), 0
	for i, columns := range picked {
		n += len(columns)
		if i < 0 || i >= 1000 || !slices.IsSorted(columns) || columns[0] < 0 || columns[len(columns)-1] >= 300 {
			t.Errorf("row %d: %v", i, columns)
		}
	}
	corner := func(i, j int64) bool { return slices.Contains(picked[i], j) }
	if n < 4000 || n > 4200 || !corner(0, 0) || !corner(999, 299) || !corner(0, 299) || !corner(999, 0) {
		t.Errorf("%d elements are picked", n)
	}
}

// The numbers of a large problem do not depend on the number of processors and fit their types. Sums of small integers
// are exact for all extents, so one wrong element is found.
func TestLargeProblems(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for _, name := range []string{f16Atom, "SM80_16x8x16_F16F16F16F16_TN", "SM90_64x32x32_F32E4M3E5M2_SS_TN"} {
		r := gemmRequest{atom: name}
		p, err := r.product("sm_90")
		if err != nil {
			t.Fatal(err)
		}
		size := [3]int64{40, 24, 5000}
		for _, kind := range kindsOf(p) {
			problem, err := kind.problem(p, size, 3)
			if err != nil {
				t.Fatal(err)
			}
			again, err := kind.problem(p, size, 3)
			if err != nil || !slices.Equal(problem.A, again.A) || !slices.Equal(problem.B, again.B) ||
				slices.Equal(problem.A[:100], problem.B[:100]) {
				t.Errorf("%s: %v: the numbers differ each time, or A and B are the same", name, kind)
			}
			d := make([]float64, size[0]*size[1])
			copy(d, problem.C)
			for i := range size[0] {
				for j := range size[1] {
					for k := range size[2] {
						d[i*size[1]+j] += problem.A[i*size[2]+k] * problem.B[j*size[2]+k]
					}
				}
			}
			d[77]++
			c, err := p.form.CheckCard(problem, d, gemm.Sample{0: {0}})
			if err != nil || kind == smallIntegers && (c.Fails != 1 || c.FirstRow != 3 || c.FirstColumn != 5 || c.Summed == 0) ||
				kind == normal && c.Summed != 0 {
				t.Errorf("%s: %v: %+v, %v", name, kind, c, err)
			}
		}
	}
}

// TestGemmOnCard runs kernels on a card.
func TestGemmOnCard(t *testing.T) {
	d, err := gpu.Open(0)
	none := []gpu.Code{gpu.NoDriver, gpu.OldDriver, gpu.NoDevice}
	if e, ok := errors.AsType[*gpu.Error](err); ok && slices.Contains(none, e.Code) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	chip := d.Info().Chip
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	atoms := []string{
		f16Atom, "UniversalFMA<float,float,float>", "SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x64_S32S4U4S32_TN",
	}
	if chip == "sm_90" { // includes every layout of an operand that is not K-major
		atoms = append(atoms, "sgemm_sm80", "wgmma_sm90", "SM80_SPARSE_16x8x32_F32F16F16F32_TN", "SM80_8x8x4_C64C64C64C64_TN",
			"SM90_64x32x32_F32E4M3E5M2_RS_TN", "SM90::GMMA::SPARSE::GMMA_64x16x64_S32S8S8_RS_TN",
			"SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>",
			"SM90_64x16x16_F16F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>",
			"SM90_64x24x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>",
			"SM90_64x96x16_F32BF16BF16_RS<GMMA::Major::K,GMMA::Major::MN>",
			"SM90_64x192x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>")
	}
	for _, a := range atoms {
		code, stdout, stderr := gemmCall(t, gpu.Open, a, "-m", "130", "-n", "67", "-k", "99", "--json")
		var o gemmOutcome
		if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 || !o.Right || len(o.Runs) != 2 ||
			o.Seconds <= 0 || len(o.Predicted) < 4 {
			t.Errorf("%s: exit code %d, %v: %s%s", a, code, err, stdout, stderr)
		}
	}
	code, _, stderr := gemmCall(t, gpu.Open, "--atom", "SM100_MMA_TF32_SS_128x256", "-m", "1", "-n", "1", "-k", "1")
	if chip == "sm_90" && (code != 1 || !strings.Contains(stderr, "sm_90 lacks")) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	// The test runs concurrent compilations, which once crashed when goroutines moved between threads.
	code, stdout, stderr := gemmCall(t, gpu.Open, "--all", "--atom", "SM80_16x8x*")
	if code != 0 || strings.Count(stdout, " right") < 30 {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}
