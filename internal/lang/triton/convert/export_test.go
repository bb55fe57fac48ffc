package convert

import "girih/f2"

// SrcLane returns the lane from which a lane reads in a round.
func (s *Shuffle) SrcLane(round, lane int) int { return times(s.e, round) ^ times(s.h, lane) }

// SrcRegister returns the register that a lane offers in a round.
func (s *Shuffle) SrcRegister(round, lane int) int { return times(s.m, round) ^ times(s.n, lane) }

// DstRegister returns the register in which a lane stores the element that it receives in a round.
func (s *Shuffle) DstRegister(round, lane int) int { return round ^ times(s.g, lane) }

// times returns the image of a number. Bits beyond the columns are ignored.
func times(m f2.Matrix, x int) int {
	var y f2.Vector
	for j := range m.Cols() {
		if x>>j&1 == 1 {
			y ^= m.Col(j)
		}
	}
	return int(y)
}

// The tiles of ld.shared and st.shared, and of ldmatrix and stmatrix without and with .trans: see Tile.
func LoadStore() Tile { return Tile{} }
func Matrix() Tile    { return Tile{Contiguous: []int{0, 1}, Address: []int{2, 3, 4}} }
func MatrixTransposed() Tile {
	return Tile{Contiguous: []int{2, 3, 4}, Address: []int{0, 1}, Registers: 1, Transposed: true}
}
