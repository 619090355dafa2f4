#pragma once
// How the C library is to keep large blocks of memory.

namespace lacuna {

// From now on every block of 512 KiB and more is mapped by itself, so that its memory goes back to the system
// when it is freed. Left alone, glibc raises that size to the size of the largest block freed so far; the
// blocks of a load then lie in the heap, between smaller ones that outlive them, and stay resident: a fifth
// of the peak of a trace of 5 million events, a third of a compressed one. Up to 4 MiB that smaller blocks
// give back wait at the end of the heap for the next: to touch fresh memory costs more than most that is done
// with it. For the whole process, from any thread, any number of times; does nothing with another C library.
void mapLargeBlocks();

} // namespace lacuna
