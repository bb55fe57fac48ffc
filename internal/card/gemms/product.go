package gemms

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/card/command"
	"girih/internal/ints"
	"girih/internal/machine/gemm"
	"girih/internal/machine/lower"
	"girih/kernel"
)

// A product is a kernel that multiplies matrices: the plain kernel of an instruction, or a kernel of package examples.
type product struct {
	name string
	// form contains the instruction, which determines the numbers and the precision of sums, and the tile of a block.
	form gemm.Kernel
	// trace returns the kernel for problems of the given size, or for all sizes if size is zero. Problems with the same
	// key share a kernel.
	trace func(size [3]int64) (*kernel.Kernel, error)
	key   func(size [3]int64) string
	// ints returns the numbers for a problem that has no C, by which a plan counts.
	ints func(size [3]int64) map[string]int64
	// launch returns the arguments of the kernel.
	launch func(p gemm.Problem) (gemm.Launch, error)
	// result returns the sums, row by row, from the bytes of the output.
	result func(p gemm.Problem, out []byte) ([]float64, error)
	adds   bool // whether the kernel adds a C
	// integers says that B has only small integers.
	integers bool
	// times is how many products of the size the kernel computes; 0 means one.
	times int64
}

// product makes the requested kernel for a chip, which must have the instruction.
func (r *gemmRequest) product(chip string) (*product, error) {
	if r.name != "" && r.atom != "" {
		return nil, command.UsageError("NAME or --atom NAME, not both")
	}
	if r.isPlanned() {
		return r.plannedProduct()
	}
	if x, err := examples.Find(r.name); err == nil {
		return r.recipe(x)
	}
	name := r.name + r.atom
	a, err := findMMA(name)
	if err != nil {
		if r.name != "" {
			return nil, command.UsageError(asUsage(err).Error() + "; or one of the kernels " + strings.Join(gemmRecipes(), ", "))
		}
		return nil, asUsage(err)
	}
	if r.typ != "" || r.sum != "" || r.stages != 0 {
		return nil, command.UsageError("--type, --sum and --stages are options of the kernels " +
			strings.Join(gemmRecipes(), ", "))
	}
	if _, err := lower.TargetFor(a.Operation, chip); err != nil {
		return nil, err
	}
	k, err := r.kernel(a)
	if err != nil {
		return nil, err
	}
	return ofKernel(k), nil
}

// findMMA returns the instruction with a name, whether or not CuTe has a struct for the instruction.
func findMMA(name string) (atom.MMA, error) {
	for m := range atom.BareMMAs() {
		if m.Name == name {
			return m, nil
		}
	}
	return atom.FindMMA(name)
}

// ofKernel returns the product of a plain kernel.
func ofKernel(k gemm.Kernel) *product {
	facts := func(size [3]int64) gemm.Facts {
		if size == [3]int64{} {
			return gemm.Facts{}
		}
		return k.FactsOf(size[0], size[1], size[2])
	}
	return &product{
		name: k.MMA.Atom().Name, form: k, launch: k.Launch, result: k.Numbers, adds: true,
		trace: func(size [3]int64) (*kernel.Kernel, error) { return k.Trace(facts(size)) },
		key:   func(size [3]int64) string { return fmt.Sprint(facts(size)) },
		ints:  func(size [3]int64) map[string]int64 { return k.Ints(size[0], size[1], size[2]) },
	}
}

// gemmRecipes are the kernels of package examples that multiply matrices.
func gemmRecipes() []string {
	var out []string
	for _, x := range examples.All() {
		if x.Order != nil {
			out = append(out, x.Name)
		}
	}
	return out
}

// recipe returns the product of a kernel of package examples.
func (r *gemmRequest) recipe(x examples.Recipe) (*product, error) {
	o, err := r.recipeOptions(x)
	if err != nil {
		return nil, err
	}
	div := func(size [3]int64) int64 {
		if size == [3]int64{} {
			return x.Default.Div
		}
		return commonDivisor(size)
	}
	trace := func(size [3]int64) (*kernel.Kernel, error) {
		o := o
		o.Div = div(size)
		return x.Trace(o)
	}
	p := &product{
		name: x.Name, trace: trace, key: func(size [3]int64) string { return fmt.Sprint(div(size)) },
		ints: func(size [3]int64) map[string]int64 {
			return map[string]int64{"m": size[0], "n": size[1], "k": size[2], "beta": 0} // so that C is not read
		},
	}
	k, err := trace([3]int64{})
	if err != nil {
		return nil, asUsage(err)
	}
	tile := x.Default.Tile
	if o.Tile != nil {
		tile = o.Tile
	}
	if p.form, err = formOf(k, tile); err != nil {
		return nil, err
	}
	p.adds = takesC(k)
	p.launch = func(problem gemm.Problem) (gemm.Launch, error) { return recipeLaunch(x, k, problem) }
	p.result = func(problem gemm.Problem, out []byte) ([]float64, error) {
		xs, err := p.form.Numbers(problem, out)
		if err != nil {
			return nil, err
		}
		return reorder(xs, problem.M, problem.N, func(i, j int64) (to, from int64) {
			return i*problem.N + j, x.Order(i, j, problem.M, problem.N)
		}), nil
	}
	return p, nil
}

// recipeOptions returns the options of the request for a kernel of package examples.
func (r *gemmRequest) recipeOptions(x examples.Recipe) (o examples.Options, err error) {
	if x.Order == nil {
		return o, command.UsageError(fmt.Sprintf("%s does not multiply matrices: %s do", x.Name, strings.Join(gemmRecipes(), ", ")))
	}
	if r.atoms != "" {
		return o, command.UsageError("--atoms is an option of instructions: " + x.Name + " has its own")
	}
	o.Stages = r.stages
	if r.typ != "" {
		if o.Type, err = dtype.Parse(r.typ); err != nil {
			return o, asUsage(err)
		}
	}
	if r.sum != "" {
		if o.Sum, err = dtype.Parse(r.sum); err != nil {
			return o, asUsage(err)
		}
	}
	if r.tile == "" {
		return o, nil
	}
	t, err := parseTile(r.tile)
	o.Tile = t[:]
	return o, err
}

// commonDivisor returns the power of two up to 128 that divides all extents: a larger one would not widen copies or
// spare conditions.
func commonDivisor(size [3]int64) int64 { return min(128, ints.LowestBit(size[0]|size[1]|size[2])) }

// reorder returns the elements of a matrix in another order. It processes the matrix in squares, so that a transpose
// uses all elements of a cache line while the line is cached.
func reorder(xs []float64, rows, columns int64, at func(i, j int64) (to, from int64)) []float64 {
	const side = 32
	out := make([]float64, len(xs))
	_ = gemm.Parts(rows, side, func(first, end int64) error {
		for left := int64(0); left < columns; left += side {
			for i := first; i < end; i++ {
				for j := left; j < min(left+side, columns); j++ {
					to, from := at(i, j)
					out[to] = xs[from]
				}
			}
		}
		return nil
	})
	return out
}

// takesC reports whether a kernel of package examples adds a C.
func takesC(k *kernel.Kernel) bool {
	return slices.ContainsFunc(k.Params, func(q kernel.Param) bool { return q.Name == "beta" })
}

// formOf returns the instruction that the report of a kernel names, or the fma of its elements.
func formOf(k *kernel.Kernel, tile []int64) (gemm.Kernel, error) {
	name := ""
	for _, c := range k.Report().Calls {
		if a, err := findMMA(c.Atom); err == nil {
			name = a.Name
		}
	}
	if name == "" {
		first := slices.IndexFunc(k.Params, func(p kernel.Param) bool { return p.Pointer })
		name = "UniversalFMA<" + k.Params[first].Type.CPP() + ">"
	}
	a, err := atom.FindMMA(name)
	if err != nil {
		return gemm.Kernel{}, err
	}
	mma, err := atom.MakeTiledMMA(a, cute.Layout{}, cute.Keep)
	return gemm.Kernel{MMA: mma, Tile: [3]int64(tile)}, err
}

// recipeLaunch returns the arguments of a kernel of package examples: alpha is 1, and beta is 1 if there is a C.
func recipeLaunch(x examples.Recipe, k *kernel.Kernel, p gemm.Problem) (gemm.Launch, error) {
	l := gemm.Launch{
		Ints: map[string]int64{"m": p.M, "n": p.N, "k": p.K}, Numbers: map[string]float64{},
		Tensors: map[string][]byte{}, Output: x.Output,
	}
	for _, q := range k.Params {
		xs, rows, columns := p.C, p.M, p.N
		switch q.Name {
		case "A":
			xs, columns = p.A, p.K
		case "B":
			xs, rows, columns = p.B, p.N, p.K
		case "alpha":
			l.Numbers[q.Name] = 1
		case "beta":
			l.Numbers[q.Name] = float64(min(len(p.C), 1))
		}
		if !q.Pointer {
			continue
		}
		if len(xs) == 0 {
			l.Tensors[q.Name] = bytes.Repeat([]byte{gemm.Poison(q.Type)}, int(rows*columns)*q.Type.Bits()/8)
			continue
		}
		xs = reorder(xs, rows, columns, func(i, j int64) (to, from int64) {
			return x.Order(i, j, rows, columns), i*columns + j
		})
		var err error
		if l.Tensors[q.Name], err = gemm.Pack(q.Type, xs, rows*columns, rows*columns); err != nil {
			return l, err
		}
	}
	return l, nil
}

// kernel makes the plain kernel of an instruction.
func (r *gemmRequest) kernel(a atom.MMA) (gemm.Kernel, error) {
	atoms, err := atomsOf(a, r.atoms)
	if err != nil {
		return gemm.Kernel{}, asUsage(err)
	}
	mma, err := atom.MakeTiledMMA(a, atoms, cute.Keep)
	if err != nil {
		return gemm.Kernel{}, asUsage(err)
	}
	tile := tileOf(mma)
	if r.tile != "" {
		if tile, err = parseTile(r.tile); err != nil {
			return gemm.Kernel{}, err
		}
	}
	k, err := gemm.NewKernel(mma, tile)
	if r.tile != "" || r.atoms != "" {
		err = asUsage(err)
	}
	return k, err
}
