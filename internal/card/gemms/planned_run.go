package gemms

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"girih/atom"
	"girih/dtype"
	"girih/internal/card/command"
	"girih/internal/machine/gemm"
	plans "girih/kernel/gemm"
)

// This file gives planned kernels operands for which D is a known product in another order. Product l has the rows of
// A rotated by l, and group g the rows of B rotated by g. Alpha, beta and all factors are powers of two, so that D
// becomes the sums again without rounding.

// A plannedRun is a planned kernel with its arguments.
type plannedRun struct {
	plan        *plans.Plan
	types       atom.Types
	alpha, beta float64
}

// factors returns the factor of a row of A and of a row of B.
func (r *plannedRun) factors(i, j int64) (a, b float64) {
	power := func(i int64) float64 { return math.Ldexp(1, int(i%3)-1) }
	switch r.plan.Problem().Scale {
	case plans.ScaleTensors:
		return 2, 4
	case plans.ScaleRows:
		return power(7 * i), power(5 * j)
	case plans.ScaleGroups:
		return 1, power(5 * j)
	}
	return 1, 1
}

// places calls f for each element of D: its product, its place, and the place of the sum that it has.
func (r *plannedRun) places(x gemm.Problem, f func(at, i, j int64)) {
	p := r.plan.Problem()
	groups, group := p.Groups, int64(0)
	for l := range max(p.L, 1) {
		for i := range x.M {
			for groups > 0 && i >= (group+1)*x.M/groups {
				group++
			}
			for j := range x.N {
				f((l*x.M+i)*x.N+j, (i+l)%x.M, (j+group)%x.N)
			}
		}
	}
}

// plain returns the sums of D, each product in the order that [agreement] expects.
func (r *plannedRun) plain(x gemm.Problem, d []float64) []float64 {
	out := make([]float64, len(d))
	grouped := r.plan.Problem().Groups > 0
	r.places(x, func(at, i, j int64) {
		a, b := r.factors(i, j)
		to := at
		if grouped {
			to = i*x.N + j
		}
		out[to] = d[at] / (r.alpha * a * b)
	})
	return out
}

// launch returns the arguments of the kernel.
func (r *plannedRun) launch(x gemm.Problem) (l gemm.Launch, err error) {
	p, problem := r.plan, r.plan.Problem()
	l = gemm.Launch{
		Ints: p.Args(), Numbers: map[string]float64{}, Tensors: map[string][]byte{}, Output: "D",
	}
	if problem.Epilogue.Scaled {
		l.Numbers["alpha"] = r.alpha
	}
	a, b := p.Operands() // the problem's names in the kernel
	one, err := gemm.Pack(r.types.A.Type, x.A, x.K, l.Ints["ld"+a])
	if err != nil {
		return l, err
	}
	row := int64(len(one)) / x.M
	for i := range max(problem.L, 1) {
		l.Tensors[a] = appendFrom(l.Tensors[a], one, i%x.M*row)
	}
	if problem.InB == dtype.U4 {
		err = r.weights(x, &l)
	} else {
		err = r.rowsOfB(x, b, &l)
	}
	if err != nil {
		return l, err
	}
	l.Tensors["D"] = bytes.Repeat([]byte{gemm.Poison(r.types.D.Type)}, int(4*max(problem.L, 1)*x.M*x.N))
	if n := p.Workspace(); n > 0 {
		l.Tensors["W"] = make([]byte, 4*n)
	}
	return l, r.inputs(x, &l)
}

// appendFrom appends rows that begin with another one.
func appendFrom(to, rows []byte, at int64) []byte {
	return append(append(to, rows[at:]...), rows[:at]...)
}

// rowsOfB packs B: the same for all products, and in another order for each group.
func (r *plannedRun) rowsOfB(x gemm.Problem, name string, l *gemm.Launch) error {
	one, err := gemm.Pack(r.types.B.Type, x.B, x.K, l.Ints["ld"+name])
	if err != nil {
		return err
	}
	problem, row := r.plan.Problem(), int64(len(one))/x.N
	for i := range max(problem.L, problem.Groups, 1) {
		at := int64(0)
		if problem.Groups > 0 {
			at = i % x.N * row
		}
		l.Tensors[name] = appendFrom(l.Tensors[name], one, at)
	}
	return nil
}

// weights packs B as numbers of 4 bits, with factors and zero points.
func (r *plannedRun) weights(x gemm.Problem, l *gemm.Launch) error {
	groups := (x.K + plans.ScaleBlock - 1) / plans.ScaleBlock
	zero := func(j, group int64) int64 { return 4 + (j+group)%8 }
	b, z, s := make([]byte, x.N*x.K/2), make([]byte, x.N*groups), make([]float64, x.N*groups)
	for j := range x.N {
		for q := range x.K {
			w := int64(x.B[j*x.K+q]) + zero(j, q/plans.ScaleBlock)
			b[(j*x.K+q)/2] |= byte(w << (q % 2 * 4))
		}
		for g := range groups {
			z[g*x.N+j] = byte(zero(j, g))
			_, s[g*x.N+j] = r.factors(0, j)
		}
	}
	var err error
	l.Tensors["B"], l.Tensors["ZB"] = b, z
	l.Tensors["SB"], err = gemm.Pack(r.types.A.Type, s, x.N, x.N)
	return err
}

// inputs packs C, the factors, and the rows of groups. A C that is not read has NaN.
func (r *plannedRun) inputs(x gemm.Problem, l *gemm.Launch) (err error) {
	p := r.plan.Problem()
	c := make([]float64, max(p.L, 1)*x.M*x.N)
	if p.Epilogue.Add != 0 {
		l.Numbers["beta"] = r.beta * float64(min(len(x.C), 1))
	}
	r.places(x, func(at, i, j int64) {
		a, b := r.factors(i, j)
		if c[at] = math.NaN(); len(x.C) > 0 {
			c[at] = x.C[i*x.N+j] * r.alpha * a * b / r.beta
		}
	})
	if p.Epilogue.Add != 0 {
		l.Tensors["C"], err = gemm.Pack(p.Epilogue.Add, c, x.N, x.N)
	}
	if err == nil {
		err = r.sides(x, l)
	}
	for g := range p.Groups {
		rows := (g+1)*x.M/p.Groups - g*x.M/p.Groups
		l.Tensors["sizes"] = binary.LittleEndian.AppendUint32(l.Tensors["sizes"], uint32(rows))
	}
	return err
}

// sides packs the factors of rows of A and B, or of whole matrices.
func (r *plannedRun) sides(x gemm.Problem, l *gemm.Launch) (err error) {
	m, n := x.M, x.N
	switch r.plan.Problem().Scale {
	case plans.ScaleRows:
	case plans.ScaleTensors:
		m, n = 1, 1
	default:
		return nil
	}
	var sa, sb []float64
	for q := range max(r.plan.Problem().L, 1) {
		for i := range m {
			a, _ := r.factors((i+q)%x.M, 0)
			sa = append(sa, a)
		}
		for j := range n {
			_, b := r.factors(0, j)
			sb = append(sb, b)
		}
	}
	if l.Tensors["SA"], err = gemm.Pack(dtype.F32, sa, 1, 1); err == nil {
		l.Tensors["SB"], err = gemm.Pack(dtype.F32, sb, 1, 1)
	}
	return err
}

// validateInputs checks the options for C, factors and groups.
func (r *gemmRequest) validateInputs() error {
	scaled := r.alpha != 1 || r.c+r.scale != ""
	switch {
	case !scaled && r.beta == 1 && r.typeB == "" && r.groups == 0:
		return nil
	case !r.isPlanned() || r.search:
		return usagef("--alpha, --beta, --c, --scale, --type-b and --groups run a planned kernel: --type T without a name and --tune")
	case r.beta != 1 && r.c == "":
		return usagef("--beta is a factor of C: --c T")
	case r.scale == string(plans.ScaleBlocks):
		return usagef("--scale is tensors, rows, or groups with --type-b u4: sums with factors of blocks have no other order")
	case scaled && slices.Contains([]string{dtype.S8.String(), dtype.U8.String()}, r.typ):
		return usagef("--alpha, --c and --scale are of floats: f32 does not have all sums of integers")
	case r.typeB != "" && r.typeB != dtype.U4.String():
		return usagef("--type-b is u4, found %.40q", r.typeB)
	}
	return cmp.Or(checkPower(r.alpha), checkPower(r.beta))
}

// checkPower refuses a factor that could round.
func checkPower(x float64) error {
	if f, exp := math.Frexp(math.Abs(x)); f != 0.5 || exp < -9 || exp > 11 {
		return usagef("--alpha and --beta are 2^-10 to 2^10, or their negatives, so that sums stay exact; found %v", x)
	}
	return nil
}

func usagef(format string, args ...any) error {
	return command.UsageError(fmt.Sprintf(format, args...))
}
