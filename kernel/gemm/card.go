package gemm

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// A Card has what a plan needs to know of a GPU.
type Card struct {
	Name     string  `json:"name"`
	Arch     string  `json:"arch"` // such as sm_80, from there on; sm_90 if empty
	SMs      int64   `json:"sms"`
	Shared   int64   `json:"shared_bytes"` // of a block
	L2       int64   `json:"l2_bytes"`
	Memory   float64 `json:"memory_gbps"` // what a copy reads and writes, in GB/s
	Cache    float64 `json:"l2_gbps"`     // what all multiprocessors read from the L2, in GB/s
	Boost    float64 `json:"boost_mhz"`   // while the tensor cores rest
	Clock    float64 `json:"mhz"`         // while the tensor cores multiply all the time
	Products int64   `json:"products"`    // of f16 with sums in f32, by mma.sync in a cycle of a multiprocessor
	// Clusters are how many clusters of 2 to 8 blocks run at one time, if a multiprocessor has one block: the blocks of
	// a cluster are in one GPC. 0 means as many as the multiprocessors are enough for.
	Clusters [7]int64 `json:"clusters"`
}

// resident returns how many blocks in clusters of n run at one time.
func (c *Card) resident(n int64) int64 {
	if n < 2 {
		return c.SMs
	}
	clusters := c.SMs / n
	if most := c.Clusters[n-2]; most > 0 {
		clusters = min(clusters, most)
	}
	return clusters * n
}

// mma returns the products of mma.sync: without a number, as many as the first card of the table has.
func (c *Card) mma() float64 { return float64(cmp.Or(c.Products, cards[0].Products)) }

// products returns what mma.sync multiplies in a cycle. GeForce cards add floats to f32 at half the rate, and integers
// at the whole one, which is at least 1,024.
func (c *Card) products(x *arithmetic) float64 {
	n := c.mma() * x.rate / arithmetics[0].rate
	if x.sum == dtype.S32 {
		n = max(n, 1024)
	}
	return n
}

// sm returns the number of the architecture, and whether it is one.
func (c *Card) sm() (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(cmp.Or(c.Arch, "sm_90"), "sm_"))
	return n, err == nil && n >= 80 && n <= 999
}

// check refuses a card that cannot be. The bounds keep the sums of the model finite.
func (c *Card) check() error {
	if _, ok := c.sm(); !ok {
		return refuse(cute.CodeExtent, "expected a card of an architecture from sm_80 on, found %.40q", c.Arch)
	}
	for _, x := range []struct {
		what        string
		n           float64
		least, most float64
	}{
		{"multiprocessors", float64(c.SMs), 1, 1 << 12},
		{"bytes of shared memory", float64(c.Shared), 1, 1 << 24},
		{"bytes of L2", float64(c.L2), 0, 1 << 40},
		{"GB/s of memory", c.Memory, 1e-3, 1e9},
		{"GB/s of the L2", c.Cache, 1e-3, 1e9},
		{"MHz at rest", c.Boost, 1e-3, 1e6},
		{"MHz", c.Clock, 1e-3, 1e6},
		{"products of mma.sync in a cycle", float64(c.Products), 0, 1 << 24},
		{"clusters at least", float64(slices.Min(c.Clusters[:])), 0, 1 << 12},
		{"clusters at most", float64(slices.Max(c.Clusters[:])), 0, 1 << 12},
	} {
		if !(x.n >= x.least && x.n <= x.most) { // also not NaN
			return refuse(cute.CodeExtent, "expected a card with %s from %v to %v, found %v", x.what, x.least, x.most, x.n)
		}
	}
	return nil
}

// hopper reports whether the card has wgmma.
func (c *Card) hopper() bool { return c.Arch == "" || c.Arch == "sm_90" }

// The rates of h200 and h100 are measured: the rates of memory by copies, of the L2 by the fit of [model], the
// clocks by products of 8192 cubed with
// normally distributed numbers, at which both cards are limited by their power, and the products of mma.sync.
//
// The other numbers are published, in the architecture whitepapers of A100, GA102 and Ada and the data sheets of the
// cards: multiprocessors, boost clocks, memory and L2, and the products from the tensor rates with f32 sums, divided by
// the multiprocessors and the clock. Shared memory is from the CUDA C++ Programming Guide. For the A100 the rate of the
// L2 is published, too, as 5120 bytes a cycle; for sm_86 and sm_89 it is an estimate of 32 bytes a cycle and
// multiprocessor.
// A copy reaches about nine tenths of the published rate of memory.
var cards = []Card{
	{Name: "h200", Arch: "sm_90", SMs: 132, Shared: 227 << 10, L2: 50 << 20, Memory: 4200, Cache: 21400, Boost: 1980, Clock: 1750, Products: 1360, Clusters: [7]int64{66, 39, 30, 22, 17, 15, 15}},
	{Name: "h100", Arch: "sm_90", SMs: 132, Shared: 227 << 10, L2: 50 << 20, Memory: 2950, Cache: 21400, Boost: 1980, Clock: 1750, Products: 1360, Clusters: [7]int64{66, 39, 30, 22, 17, 15, 15}},
	{Name: "a100", Arch: "sm_80", SMs: 108, Shared: 163 << 10, L2: 40 << 20, Memory: 1840, Cache: 7200, Boost: 1410, Clock: 1410, Products: 1024},
	{Name: "a10", Arch: "sm_86", SMs: 72, Shared: 99 << 10, L2: 6 << 20, Memory: 540, Cache: 3900, Boost: 1695, Clock: 1695, Products: 512},
	{Name: "rtx3090", Arch: "sm_86", SMs: 82, Shared: 99 << 10, L2: 6 << 20, Memory: 840, Cache: 4400, Boost: 1695, Clock: 1695, Products: 256},
	{Name: "rtx4090", Arch: "sm_89", SMs: 128, Shared: 99 << 10, L2: 72 << 20, Memory: 910, Cache: 10300, Boost: 2520, Clock: 2520, Products: 256},
	{Name: "l40s", Arch: "sm_89", SMs: 142, Shared: 99 << 10, L2: 96 << 20, Memory: 780, Cache: 11400, Boost: 2520, Clock: 2520, Products: 512},
	{Name: "l4", Arch: "sm_89", SMs: 58, Shared: 99 << 10, L2: 48 << 20, Memory: 270, Cache: 3800, Boost: 2040, Clock: 2040, Products: 512},
}

// Cards returns the cards that are known by name.
func Cards() []Card { return append([]Card(nil), cards...) }

// FindCard returns the card of a name, such as h200, "NVIDIA H200" or "NVIDIA GeForce RTX 4090". It returns
// [cute.CodeName] for a card that is not known.
func FindCard(name string) (Card, error) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" -_/", r) })
	var known []string
	for _, c := range cards {
		known = append(known, c.Name)
		for i, w := range words {
			if w == c.Name || w == "g"+c.Name || i > 0 && words[i-1]+w == c.Name {
				return c, nil
			}
		}
	}
	return Card{}, refuse(cute.CodeName, "expected one of the cards %s, found %.40q", strings.Join(known, ", "), name)
}
