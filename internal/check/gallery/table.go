package main

// sections is the table of all pictures.
var sections = []section{
	layouts, algebra, banks, threads, atoms, tiledMMAs, copies, bits, large, looks, terminal,
}
