package tiled

import (
	"girih"
	"girih/tensor"
)

// accumulators are C while it is added to: rows of its storage, where its places are sums of those of row and column,
// or of a copy that is written at the end.
type accumulators[T any] struct {
	data                  []T
	rows, columns, planes []int64 // places
	buffer                []T
	at, column            int64      // of the row that was loaded
	dense                 bool       // columns are neighbours: the row is the storage itself
	into                  *matrix[T] // what data is a copy of, or nil
}

// accumulators returns the accumulators of C.
func (x *matrix[T]) accumulators() (*accumulators[T], error) {
	c := &accumulators[T]{data: x.of.Data()}
	l, plain := x.of.Layout().(girih.Layout)
	if plain = plain && c.data != nil; plain {
		once, _, err := girih.IsInjective(l)
		plain = err == nil && once
	}
	if !plain {
		var err error
		if c.data, err = x.read(); err != nil {
			return nil, err
		}
		c.into = x
		if l, err = girih.LayoutLeft(girih.Ints(x.columns, x.rows, x.planes)); err != nil {
			return nil, err
		}
	}
	for i, at := range []*[]int64{&c.columns, &c.rows, &c.planes} {
		mode, err := l.Mode(i)
		if err != nil {
			return nil, err
		}
		if *at, err = mode.AppendOffsets(nil); err != nil {
			return nil, err
		}
	}
	if plain {
		for i := range c.planes {
			c.planes[i] += x.of.Start()
		}
	}
	c.dense = true
	for i, p := range c.columns {
		c.dense = c.dense && p == int64(i)
	}
	if !c.dense {
		c.buffer = make([]T, len(c.columns))
	}
	return c, nil
}

// load returns row i of a block, to be changed and stored.
func (c *accumulators[T]) load(b block, i int64) []T {
	c.at, c.column = c.planes[b.plane]+c.rows[b.row+i], b.column
	if c.dense {
		return c.data[c.at+b.column:][:b.n]
	}
	row := c.buffer[:b.n]
	for j, p := range c.columns[b.column:][:b.n] {
		row[j] = c.data[c.at+p]
	}
	return row
}

// store writes the row that was loaded.
func (c *accumulators[T]) store(row []T) {
	if c.dense {
		return
	}
	for j, p := range c.columns[c.column:][:len(row)] {
		c.data[c.at+p] = row[j]
	}
}

// finish writes what is a copy.
func (c *accumulators[T]) finish() error {
	if c.into == nil {
		return nil
	}
	l, err := girih.LayoutLeft(girih.Ints(int64(len(c.data))))
	if err != nil {
		return err
	}
	src, err := tensor.Make(c.data, l)
	if err != nil {
		return err
	}
	return tensor.Copy(src, c.into.of)
}
