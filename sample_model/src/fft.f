C     FFT - DISCRETE FOURIER TRANSFORM OF ANY LENGTH UP TO NMAX
C
C     STOCKHAM'S SELF-SORTING ALGORITHM, ONE PASS A PRIME FACTOR
C     (COCHRAN ET AL. 1967, PROC. IEEE 55, 1664; TEMPERTON 1983,
C     J. COMPUT. PHYS. 52, 1).  X(1,*) IS THE REAL PART, X(2,*) THE
C     IMAGINARY ONE.
C
C     FFT     X(K) = SUM OVER J OF X(J)*EXP(-2*PI*I*J*K/N)
C     FFTINV  THE INVERSE, DIVIDED BY N
C
      SUBROUTINE FFT(N, X)
      INCLUDE 'fftcom.inc'
      INTEGER N, L, M, IP, IS, IQ, K, IR, IT, JX, JY, JW
      DOUBLE PRECISION X(2,N), W(2,NMAX), WF(2*NMAX)
      DOUBLE PRECISION DIR, F, SR, SI, C, S
      EQUIVALENCE (W(1,1), WF(1))
      DIR = -1.0D0
      F = 1.0D0
      GO TO 10
      ENTRY FFTINV(N, X)
      DIR = 1.0D0
      F = 1.0D0/DBLE(N)
   10 IF (N .NE. NOLD) CALL FFTTAB(N)
      L = N
      IS = 1
C     THE SMALLEST FACTOR OF WHAT IS LEFT
   20 IF (L .EQ. 1) GO TO 90
      IP = 2
   30 IF (MOD(L, IP) .EQ. 0) GO TO 40
      IP = IP + 1
      GO TO 30
   40 M = L/IP
      DO 70 IQ = 0, M - 1
      DO 70 K = 1, IS
        JX = K + IS*IQ
        JY = K + IS*IP*IQ
        GO TO (70, 50), MIN(IP, 3)
C       ANY FACTOR
        DO 48 IR = 0, IP - 1
          SR = 0.0D0
          SI = 0.0D0
          DO 44 IT = 0, IP - 1
            JW = MOD(IR*(IT*M + IQ), L)*(N/L)
            C = CS(JW)
            S = DIR*SN(JW)
            SR = SR + C*X(1,JX+IS*M*IT) - S*X(2,JX+IS*M*IT)
            SI = SI + C*X(2,JX+IS*M*IT) + S*X(1,JX+IS*M*IT)
   44     CONTINUE
          W(1,JY+IS*IR) = SR
          W(2,JY+IS*IR) = SI
   48   CONTINUE
        GO TO 70
C       FACTOR 2
   50   W(1,JY) = X(1,JX) + X(1,JX+IS*M)
        W(2,JY) = X(2,JX) + X(2,JX+IS*M)
        SR = X(1,JX) - X(1,JX+IS*M)
        SI = X(2,JX) - X(2,JX+IS*M)
        JW = IQ*(N/L)
        C = CS(JW)
        S = DIR*SN(JW)
        W(1,JY+IS) = C*SR - S*SI
        W(2,JY+IS) = C*SI + S*SR
   70 CONTINUE
      DO 80 K = 1, N
        X(1,K) = WF(2*K-1)
   80   X(2,K) = WF(2*K)
      IS = IS*IP
      L = M
      GO TO 20
   90 DO 95 K = 1, N
        X(1,K) = F*X(1,K)
   95   X(2,K) = F*X(2,K)
      RETURN
      END
C
C     FFTTAB - THE TABLES OF A LENGTH
C
      SUBROUTINE FFTTAB(N)
      INCLUDE 'fftcom.inc'
      INTEGER N, K
      DOUBLE PRECISION STEP
      IF (N .GE. 1 .AND. N .LE. NMAX) GO TO 10
      WRITE (*, '(A,I0)') 'cumulet: no Fourier transform of length ', N
      STOP 1
   10 STEP = 8.0D0*ATAN(1.0D0)/DBLE(N)
      DO 20 K = 0, N - 1
        CS(K) = COS(STEP*DBLE(K))
   20   SN(K) = SIN(STEP*DBLE(K))
      NOLD = N
      RETURN
      END
      BLOCK DATA FFTINI
      INCLUDE 'fftcom.inc'
      DATA NOLD /0/
      END
