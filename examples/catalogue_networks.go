package examples

import (
	"math"

	"girih/dtype"
	"girih/kernel"
)

// This file lists the kernels of attention and convolution, as catalogue.go does.

// attentionRecipes returns the recipes of a kernel for a chip, without and with a causal mask.
func attentionRecipes(chip string, x Recipe, trace func(attention) (*kernel.Kernel, error)) []Recipe {
	x.Output, x.Types = "O", []dtype.Type{dtype.F16, dtype.BF16}
	x.Call = "O[b,h,i,:] = Σ softmax(Q[b,h,i,:]·K[b,g,j,:] / sqrt(d) over j)·V[b,g,j,:] with g = h·kv_heads/heads; " +
		"Q and O are (batch,heads,m,d), K and V (batch,kv_heads,n,d), all by rows"
	x.Few = map[string]int64{"heads": 2, "kv_heads": 2, "batch": 2}
	plain, causal := x, x
	plain.Aliases, plain.c.want = []string{"flash_attention_" + chip}, attentionText("n")
	causal.Aliases = []string{"flash_attention_causal_" + chip}
	causal.c.want = attentionText("fmin(n, e / d % m + n - m + 1)")
	causal.Doc += "; query i sees the keys up to i + n - m"
	causal.Call += "; j ≤ i + n - m"
	for i, x := range []*Recipe{&plain, &causal} {
		own := attention{Causal: i == 1}
		x.Name, x.reference = own.name(chip), own.reference
		x.Doc += "."
		x.trace = func(o Options) (*kernel.Kernel, error) { return trace(attention{o.Tile, o.Type, own.Causal}) }
	}
	return []Recipe{plain, causal}
}

func attentionRows() []Recipe {
	sm80 := attentionRecipes("sm80", Recipe{
		CuTe:    "examples/python/CuTeDSL/ampere/flash_attention_v2.py",
		Doc:     "Attends as FlashAttention-2 on tensor cores, with scores and their exponentials in registers",
		Default: Options{Tile: []int64{128, 64, 128}, Type: dtype.F16},
	}, attention.sm80)
	sm90 := attentionRecipes("sm90", Recipe{
		CuTe:    "examples/python/CuTeDSL/hopper/fmha.py",
		Doc:     "Attends with wgmma: one warp copies tiles with the TMA, and warpgroups compute a softmax during the next product",
		Default: Options{Tile: []int64{128, 128, 128}, Type: dtype.F16},
	}, attention.sm90)
	return append(append(sm80, sm90...), attentionRecipes("sm100", Recipe{
		CuTe: "examples/77_blackwell_fmha",
		Doc: "Attends with tcgen05.mma, with scores, exponentials and outputs in tensor memory: warps copy, multiply, " +
			"compute a softmax, and correct",
		Default: Options{Tile: []int64{256, 64, 128}, Type: dtype.F16},
	}, attention.sm100)...)
}

// reference is attention in 64-bit arithmetic.
func (o attention) reference(p Problem) (want, scale []float64) {
	e := p.Extents
	m, n, heads, kvHeads := int(e["m"]), int(e["n"]), int(e["heads"]), int(e["kv_heads"])
	d := len(p.Tensors["Q"]) / (int(e["batch"]) * heads * m)
	half := rounding(p.Kernel.Params[len(p.Kernel.Params)-1].Type) / rounding(dtype.F32)
	for r := range int(e["batch"]) * heads * m { // a row of Q
		batch, head, i := r/m/heads, r/m%heads, r%m
		keys := n
		if o.Causal {
			keys = max(0, min(n, i+n-m+1))
		}
		first := (batch*kvHeads + head*kvHeads/heads) * n * d
		scores, sizes := make([]float64, keys), make([]float64, keys)
		for j := range keys {
			for l := range d {
				x := p.Tensors["Q"][r*d+l] * p.Tensors["K"][first+j*d+l] / math.Sqrt(float64(d))
				scores[j] += x
				sizes[j] += math.Abs(x)
			}
		}
		sum, off := make([]float64, d), make([]float64, d)
		for j, x := range softmaxOfRow(scores) {
			for l := range d {
				v := p.Tensors["V"][first+j*d+l]
				sum[l] += x * v
				// An exponential is rounded to a half, and below 2^-14 to steps of 2^-24. Its relative error is the absolute
				// one of the score, which has one of d roundings. The sums have the errors of exponentials again.
				off[l] += (2*half + 4*float64(d+3)*sizes[j] + 100) * math.Abs(x*v)
				off[l] += math.Abs(v)
			}
		}
		want, scale = append(want, sum...), append(scale, off...)
	}
	return want, scale
}

// attentionText is reference in C++, for a number of keys.
func attentionText(keys string) string {
	return `int64_t d = Q.size() / (batch * heads * m), row = e / d, seen = ` + keys + `;
int64_t first = (row / m / heads * kv_heads + row / m % heads * kv_heads / heads) * n * d;
double most = -INFINITY, sum = 0;
std::vector<double> scores;
for (int64_t j = 0; j < seen; j++) {
    double s = 0;
    for (int64_t l = 0; l < d; l++) s += number(Q[row * d + l]) * number(K[first + j * d + l]) / sqrt(d);
    scores.push_back(s), most = fmax(most, s);
}
for (double s : scores) sum += exp(s - most);
for (int64_t j = 0; j < seen; j++) {
    double x = exp(scores[j] - most) / sum * number(V[first + j * d + e % d]);
    want += x, size += 16 * (1 << 13) * fabs(x) + fabs(number(V[first + j * d + e % d]));
}`
}

func convolutionRow() []Recipe {
	return []Recipe{{
		Name: "convolution", Aliases: []string{"conv2d", "implicit_gemm"},
		Doc: "Convolves images with filters on tensor cores, as a product of matrices whose elements are found by quotients.",
		Call: "y[n,p,q,k] = Σ x[n,p·stride+r·dilation-padding,q·stride+s·dilation-padding,c]·f[k,r,s,c], 0 outside of x; " +
			"x is (n,h,w,c), f (k,r,s,c), y (n,p,q,k), all by rows", Output: "y",
		Default: Options{Tile: []int64{128, 64}, Type: dtype.F16, Div: 8},
		Types:   []dtype.Type{dtype.F16, dtype.BF16},
		Few: map[string]int64{
			"n": 3, "h": 12, "w": 12, "c": 40, "k": 96, "r": 3, "s": 3, "p": 12, "q": 12,
			"stride": 2, "padding": 2, "dilation": 2,
		},
		trace:     func(o Options) (*kernel.Kernel, error) { return convolution{o.Tile, o.Type, o.Div}.trace() },
		reference: convolutionOf,
		c: program{
			work: "2.0 * n * p * q * k * r * s * c",
			want: `for (int64_t i = 0; i < r; i++) {
    for (int64_t j = 0; j < s; j++) {
        int64_t y = e / k / q % p * stride + i * dilation - padding, z = e / k % q * stride + j * dilation - padding;
        for (int64_t l = 0; l < c && y >= 0 && y < h && z >= 0 && z < w; l++) {
            double v = number(x[((e / k / q / p * h + y) * w + z) * c + l]) * number(f[((e % k * r + i) * s + j) * c + l]);
            want += v, size += fabs(v);
        }
    }
}
size *= 2 * (r * s * c + 3);`,
		},
	}}
}

// convolutionOf is the definition in 64-bit arithmetic.
func convolutionOf(p Problem) (want, scale []float64) {
	e := func(name string) int { return int(p.Extents[name]) }
	h, w, c, k, r, s := e("h"), e("w"), e("c"), e("k"), e("r"), e("s")
	for y := range len(p.Tensors["y"]) {
		sum, size := 0.0, 0.0
		for filter := range r * s {
			top := y/k/e("q")%e("p")*e("stride") + filter/s*e("dilation") - e("padding")
			left := y/k%e("q")*e("stride") + filter%s*e("dilation") - e("padding")
			if top < 0 || top >= h || left < 0 || left >= w {
				continue
			}
			image := p.Tensors["x"][((y/k/e("q")/e("p")*h+top)*w+left)*c:][:c]
			for l, v := range p.Tensors["f"][(y%k*r*s+filter)*c:][:c] {
				sum, size = sum+v*image[l], size+math.Abs(v*image[l])
			}
		}
		want, scale = append(want, sum), append(scale, 2*float64(r*s*c+3)*size)
	}
	return want, scale
}
