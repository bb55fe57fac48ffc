package gemm

import (
	"strings"

	"girih/cute"
)

// A Card has what a plan needs to know of a GPU of the architecture sm_90.
type Card struct {
	Name   string  `json:"name"`
	SMs    int64   `json:"sms"`
	Shared int64   `json:"shared_bytes"` // of a block
	L2     int64   `json:"l2_bytes"`
	Memory float64 `json:"memory_gbps"` // what a copy reads and writes, in GB/s
	Cache  float64 `json:"l2_gbps"`     // what all multiprocessors read from the L2, in GB/s
	Boost  float64 `json:"boost_mhz"`   // while the tensor cores rest
	Clock  float64 `json:"mhz"`         // while the tensor cores multiply all the time
	// Clusters are how many clusters of 2 to 8 blocks run at one time, if a multiprocessor has one block: the blocks of
	// a cluster are in one GPC. 0 means as many as the multiprocessors are enough for.
	Clusters [7]int64 `json:"clusters"`
}

// resident returns how many blocks in clusters of n run at one time.
func (c *Card) resident(n int64) int64 {
	if n < 2 {
		return c.SMs
	}
	if most := c.Clusters[n-2]; most > 0 {
		return min(most*n, c.SMs)
	}
	return c.SMs / n * n
}

// cards are measured: the rates of memory by copies, the clocks by products of 8192 cubed with normally distributed
// numbers, at which both cards are limited by their power.
var cards = []Card{
	{Name: "h200", SMs: 132, Shared: 227 << 10, L2: 50 << 20, Memory: 4200, Cache: 15000, Boost: 1980, Clock: 1320, Clusters: [7]int64{66, 39, 30, 22, 17, 15, 15}},
	{Name: "h100", SMs: 132, Shared: 227 << 10, L2: 50 << 20, Memory: 2950, Cache: 15000, Boost: 1980, Clock: 1320, Clusters: [7]int64{66, 39, 30, 22, 17, 15, 15}},
}

// Cards returns the cards that are known by name.
func Cards() []Card { return append([]Card(nil), cards...) }

// FindCard returns the card of a name, such as h200 or "NVIDIA H200". It returns [cute.CodeName] for a card that is not
// known.
func FindCard(name string) (Card, error) {
	var known []string
	for _, c := range cards {
		if known = append(known, c.Name); strings.Contains(strings.ToLower(name), c.Name) {
			return c, nil
		}
	}
	return Card{}, refuse(cute.CodeName, "expected one of the cards %s, found %.40q", strings.Join(known, " and "), name)
}

// products is the number of products of 16-bit elements that a multiprocessor adds in a cycle.
const products = 2048
